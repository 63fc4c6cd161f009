import type { StageStatus, Status } from '../../../../appliance/server/progress/status.ts';
import type { StageName } from '../../../../appliance/server/stage/stage.ts';

const began = '2026-11-21T07:00:00.000Z';

/** Fixed, so that a new stage does not change the positions that tests expect. */
const sampleStages = [
  ...(['preflight', 'route', 'users', 'ssh', 'firewall', 'ban', 'kernel', 'runtime'] as const),
  ...(['images', 'secrets', 'stack', 'tls', 'models', 'smoke', 'report'] as const),
] as const satisfies readonly StageName[];

/**
 * Returns a status of the sample stages in which those before `at` are done and `at` has this state.
 */
export function statusOf(
  at: (typeof sampleStages)[number] | undefined,
  state: StageStatus['state'] = 'running',
  rest: Partial<Status> = {},
): Status {
  const place = at === undefined ? sampleStages.length : sampleStages.indexOf(at);
  const stages = sampleStages.map((name, index): StageStatus => {
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
