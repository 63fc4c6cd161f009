import { describe, expect, it } from 'vitest';
import { hasWork, testsOfWork } from '../../../../appliance/operations/transactions/phases.ts';
import type { Transaction } from '../../../../appliance/server/records/transaction.ts';
import type { StageName } from '../../../../appliance/server/stage/stage.ts';
import { ChangedSiteServer } from '../driver/site-server.ts';

type Work = Parameters<typeof hasWork>[1];

function workOf(
  stages: StageName[] | null,
  changed: string[] | null = [],
  kind: Transaction['kind'] = 'site',
): Work {
  const plan = { changed, stages, closes: false, limit: 60, keepsPrevious: true, confirms: false };
  return { kind, plan };
}

const componentsOf = (work: Work) => [...new Set(testsOfWork(work).map((test) => test.component))];
const all = componentsOf(workOf(null));

/** The phases of a change of the site that works. */
async function phasesOf(stages: StageName[] | null, changed: string[]): Promise<readonly string[]> {
  const server = await ChangedSiteServer.create('works', { stages, changed });
  try {
    expect(await server.apply()).toBeUndefined();
    return server.phases;
  } finally {
    server.remove();
  }
}

describe('a change of the site', () => {
  it('runs no phase but the last one for what only the report shows', async () => {
    expect(await phasesOf(['report'], [])).toEqual(['finish']);
  });

  it('runs no stage before the stack for a relay key', async () => {
    const phases = await phasesOf(['secrets', 'stack'], ['relay']);
    expect(phases).toEqual(['baseline', 'switch', 'verify', 'finish']);
  });

  it('runs all phases if its plan is unknown', async () => {
    const phases = await phasesOf(null, ['ui']);
    expect(phases).toEqual(['baseline', 'prepare', 'switch', 'verify', 'finish']);
  });

  it('looks at the stages of the stack after an earlier stage', () => {
    expect(hasWork('switch', workOf(['kernel']))).toBe(true);
    expect(hasWork('prepare', workOf(['stack']))).toBe(false);
  });

  it('tests the components that restart, and the gateway, without other services', () => {
    const work = workOf(['secrets', 'stack'], ['relay']);
    expect(componentsOf(work).sort()).toEqual(['docs', 'gateway', 'relay']);
    expect(testsOfWork(work).some(({ needsOthers }) => needsOthers)).toBe(false);
    expect(testsOfWork(work).map(({ name }) => name)).toContain('relay-wrong-key');
  });

  it.each([
    ['the route', workOf(['route'])],
    ['Docker', workOf(['runtime'])],
    ['what is not known', workOf(['stack'], null)],
  ])('tests everything after a change of %s', (_what, work) => {
    expect(componentsOf(work)).toEqual(all);
  });

  it('tests the models in the chat after a new model', () => {
    expect(componentsOf(workOf(['models']))).toEqual(expect.arrayContaining(['engine', 'ui']));
  });
});

it.each(['update', 'rollback', 'restore'] as const)('tests everything after a %s', (kind) => {
  const work = workOf(['report'], [], kind);
  expect(componentsOf(work)).toEqual(all);
  expect(hasWork('prepare', work)).toBe(true);
});
