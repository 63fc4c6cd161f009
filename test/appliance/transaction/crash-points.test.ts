import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../differential/random.ts';
import { disk, failing } from './failing-disk.ts';
import { type Behaviour, UpdatedServer } from './updated-server.ts';

vi.mock('node:fs/promises', async (original) => failing(await original<object>()));

/** Applies an update whose disk fails after this many changes, then again until it ends. */
async function survive(
  behaviour: Behaviour,
  closes: boolean,
  keepsPrevious: boolean,
  failsAt: number,
  how: 'dead' | 'full',
) {
  const server = new UpdatedServer(behaviour, closes, keepsPrevious);
  try {
    disk.reset(failsAt, how);
    let failure = await failureOf(server);
    const reached = disk.done > failsAt;
    disk.reset();
    for (let boot = 0; failure !== undefined && boot < 8; boot += 1) {
      failure = await failureOf(server);
    }
    if (failure !== undefined) return { reached, flaws: [failure] };
    const flaws = server.flaws();
    return { reached, flaws };
  } finally {
    disk.reset();
    server.remove();
  }
}

/** Applies an update that dies several times, each time after so many changes. */
async function surviveAll(behaviour: Behaviour, deaths: readonly number[]): Promise<string[]> {
  const server = new UpdatedServer(behaviour, true, true);
  try {
    for (const failsAt of deaths) {
      disk.reset(failsAt);
      if ((await failureOf(server)) === undefined) break;
    }
    disk.reset();
    for (let boot = 0; (await failureOf(server)) !== undefined; boot += 1) {
      if (boot > 8) return ['it does not end'];
    }
    return server.flaws();
  } finally {
    disk.reset();
    server.remove();
  }
}

async function failureOf(server: UpdatedServer): Promise<string | undefined> {
  return await server.apply().then(
    () => undefined,
    (error: Error) => error.stack ?? error.message,
  );
}

describe('an update that dies at any change', () => {
  it.each([
    ['works', true, true],
    ['works', false, true],
    ['does not start', true, true],
    ['fails its tests', true, true],
    ['fails its tests', false, true],
    ['works', true, false],
    ['does not start', true, false],
  ] as const)(
    'ends with a release that %s, closes the server: %s, keeps a way back: %s',
    async (behaviour, closes, keepsPrevious) => {
      for (const how of ['dead', 'full'] as const) {
        const lost: string[] = [];
        let tried = 0;
        for (; ; tried += 1) {
          const { reached, flaws } = await survive(behaviour, closes, keepsPrevious, tried, how);
          if (flaws.length > 0) lost.push(`${how} at ${tried}: ${flaws.join(', ')}`);
          if (!reached) break;
        }
        console.log(
          `${behaviour}, ${closes ? 'closed' : 'open'}, ${how}: ${tried} tried, ${lost.length} lost`,
        );
        expect(lost).toEqual([]);
        expect(tried).toBeGreaterThan(30);
      }
    },
  );

  it.each(['works', 'does not start', 'fails its tests'] as const)(
    'ends after two to five interruptions, with a release that %s',
    async (behaviour) => {
      const random = new Random(7);
      const lost: string[] = [];
      for (let tried = 0; tried < 60; tried += 1) {
        const deaths = Array.from({ length: 2 + random.below(4) }, () => 3 + random.below(88));
        const flaws = await surviveAll(behaviour, deaths);
        if (flaws.length > 0) lost.push(`${deaths.join(', ')}: ${flaws.join(', ')}`);
      }
      expect(lost).toEqual([]);
    },
  );
});
