import type { StageStatus, Status } from '../../../appliance/progress/status.ts';
import { type StageName, stageNames } from '../../../appliance/stage/stage.ts';

const began = '2026-11-21T07:00:00.000Z';

/** Returns a status in which the stages before `at` are done and `at` has this state. */
export function statusOf(
  at: StageName | undefined,
  state: StageStatus['state'] = 'running',
  rest: Partial<Status> = {},
): Status {
  const place = at === undefined ? stageNames.length : stageNames.indexOf(at);
  const stages = stageNames.map((name, index): StageStatus => {
    const title = `${name}: for a test`;
    if (index < place) return { name, title, state: 'applied', since: began, took: 1200, own: 8 };
    if (index > place) return { name, title, state: 'waiting' };
    return { name, title, state, since: began };
  });
  return {
    product: 'landfall',
    release: '1.2.0',
    state: at === undefined ? 'done' : state === 'failed' ? 'failed' : 'running',
    started: began,
    updated: '2026-11-21T07:04:10.000Z',
    stages,
    warnings: [],
    ...rest,
  };
}
