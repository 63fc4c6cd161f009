import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { updateHistoryFile } from '#contract/server-paths.ts';
import { disk, failing } from './failing-disk.ts';
import { RestoredServer } from './restored-server.ts';
import { ChangedSiteServer, siteBehaviours } from './site-server.ts';
import type { Outage, TransactionServer } from './transaction-server.ts';
import { UpdatedServer } from './updated-server.ts';

vi.mock('node:fs/promises', async (original) => failing(await original<object>()));

const programs = {
  docker: /^docker /,
  network: / --phase (?:prepare|switch|verify)$/,
  'volume-task': /^systemd-run /,
};

let server: UpdatedServer | undefined;
afterEach(() => {
  disk.reset();
  server?.remove();
});

/** Applies a transaction until it ends or is stuck; returns what was wrong after a run. */
async function applyIn(outage: Outage | undefined, failed: TransactionServer): Promise<string[]> {
  failed.outage = outage;
  for (let run = 0; run < 60; run += 1) {
    const failure = await failed.apply();
    const broken = failed.broken();
    if (broken.length > 0) return broken;
    if (failure === undefined) return [];
  }
  return ['it does not end'];
}

/** Applies a transaction during an outage, then continues it without one. Returns what is wrong. */
async function survive(create: () => Promise<TransactionServer>, outage: Outage) {
  disk.reset();
  const failed = await create();
  try {
    const flaws = await applyIn(outage, failed);
    const wasReached = outage.after === 0;
    const isStuck = failed.open()?.state === 'stuck';
    failed.outage = undefined;
    if (isStuck) {
      failed.resume();
      flaws.push(...(await applyIn(undefined, failed)));
    }
    return { flaws: [...flaws, ...(await failed.flaws())], wasReached, isStuck };
  } finally {
    failed.remove();
  }
}

/** Lets each program fail at each of its calls, for some calls. Returns what was lost. */
async function surviveEveryOutage(create: () => Promise<TransactionServer>) {
  const lost: string[] = [];
  let stuck = 0;
  let tried = 0;
  for (const [name, of] of Object.entries(programs)) {
    for (const calls of [1, 4, 30]) {
      for (let after = 0; ; after += 1) {
        const { flaws, wasReached, isStuck } = await survive(create, { of, after, calls });
        tried += 1;
        stuck += Number(isStuck);
        if (flaws.length > 0) lost.push(`${name}, ${calls} after ${after}: ${flaws.join()}`);
        if (!wasReached) break;
      }
    }
  }
  console.log(`${tried} outages: ${stuck} led to a rollback that is stuck, ${lost.length} lost`);
  return { lost, stuck };
}

describe('a server whose programs fail for a while', () => {
  it.each(['works', 'fails its tests'] as const)(
    'loses nothing in an update to a release that %s',
    async (behaviour) => {
      const create = async () => new UpdatedServer(behaviour, true, true);
      const { lost, stuck } = await surviveEveryOutage(create);
      expect(lost).toEqual([]);
      expect(stuck).toBeGreaterThan(0);
    },
  );

  it.each(['works', 'fails its tests'] as const)(
    'loses nothing in a restore that %s',
    async (behaviour) => {
      const create = () => RestoredServer.create({ behaviour, isDamaged: false });
      const { lost, stuck } = await surviveEveryOutage(create);
      expect(lost).toEqual([]);
      expect(stuck).toBeGreaterThan(0);
    },
  );

  it.each(siteBehaviours)('loses nothing in a change of the site that %s', async (behaviour) => {
    const create = () => ChangedSiteServer.create(behaviour);
    const { lost, stuck } = await surviveEveryOutage(create);
    expect(lost).toEqual([]);
    expect(stuck).toBeGreaterThan(0);
  });
});

describe('an update whose programs fail for a while', () => {
  it('waits for Docker without counting it as an attempt', async () => {
    server = new UpdatedServer('fails its tests', true, true);
    const outage = { of: /^docker ps/, after: 0, calls: 30, during: 'rolling-back' } as const;
    expect(await applyIn({ ...outage }, server)).toEqual([]);
    expect(server.flaws()).toEqual([]);
  });

  it('waits for space on the disk without counting it as an attempt', async () => {
    server = new UpdatedServer('fails its tests', true, true);
    server.outage = { of: / --phase verify$/, after: 0, calls: 1 };
    disk.reset(40, 'full');
    for (let run = 0; run < 10; run += 1) await server.apply();
    expect(server.broken()).toEqual([]);
    disk.reset();
    expect(await applyIn(undefined, server)).toEqual([]);
    expect(server.flaws()).toEqual([]);
  });

  it('stays closed and keeps the copy when the copy cannot be put in place', async () => {
    server = new UpdatedServer('fails its tests', true, true);
    const of = / volume-task verify /;
    expect(await applyIn({ of, after: 0, calls: 30 }, server)).toEqual([]);
    expect(server.open()).toMatchObject({ state: 'stuck', restored: false, attempt: 5 });
    expect(server.isOpen).toBe(false);
    server.outage = undefined;
    await server.apply();
    expect(server.open()?.state).toBe('stuck');
    server.resume();
    expect(await applyIn(undefined, server)).toEqual([]);
    expect(server.flaws()).toEqual([]);
  });

  it('keeps the new release when its copy of the chats is given up', async () => {
    server = new UpdatedServer('fails its tests', true, true);
    const of = / volume-task verify /;
    expect(await applyIn({ of, after: 0, calls: 30 }, server)).toEqual([]);
    server.resume(true);
    expect(await applyIn({ of, after: 0, calls: 30 }, server)).toEqual([]);
    expect(server.open()).toBeUndefined();
    expect(server.isOpen).toBe(true);
    expect(server.broken()).toEqual([]);
    const history = readFileSync(server.path(updateHistoryFile), 'utf8');
    expect(JSON.parse(history)).toMatchObject({
      outcome: 'committed',
      reason: { message: expect.stringContaining('does not work') },
    });
  });

  it('opens with the data of before when only the tests of the earlier release fail', async () => {
    server = new UpdatedServer('does not start', true, true);
    const of = /1\.0\.0-amd64.* --phase verify$/;
    expect(await applyIn({ of, after: 0, calls: 30 }, server)).toEqual([]);
    expect(server.open()).toMatchObject({ state: 'stuck', restored: true, pass: null });
    expect(server.isOpen).toBe(true);
  });
});
