import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  expectedTime,
  installScheduled,
} from '../../../../appliance/commands/update/scheduled-install.ts';
import { addToHistory } from '../../../../appliance/operations/transactions/history.ts';
import { takeRunLock } from '../../../../appliance/server/host/lock/run-lock.ts';
import {
  newTransaction,
  storedTransaction,
} from '../../../../appliance/server/records/transaction.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { nextRelease, updateLab } from '../../operations/update/update-lab.ts';
import { channelRelease } from '../../shared/contract/channel/a-channel.ts';

let lab: Awaited<ReturnType<typeof updateLab>>;
let output: string[];
beforeEach(() => {
  output = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await lab.close();
});

const inWindow = '2026-12-01T03:10:00Z';

interface Night {
  readonly at?: string;
  readonly updates?: object;
  /** Bytes of the chats. */
  readonly chats?: number;
  readonly limit?: number;
}

/** Opens a server with a release on its channel. */
async function open({ updates = {}, chats }: Night = {}) {
  const volume = join(await workFolder(), '_data');
  if (chats !== undefined) {
    await mkdir(volume);
    await writeFile(join(volume, 'webui.db'), '');
    // Sparse: it takes no space.
    await truncate(join(volume, 'webui.db'), chats);
  }
  lab = await updateLab('en', {
    updates: { mode: 'install', ...updates },
    answers: {
      'docker volume inspect': chats === undefined ? 1 : JSON.stringify(volume),
    },
  });
  lab.context.site.timezone = 'UTC';
  const { bytes, entry } = nextRelease();
  lab.first.publish({ releases: [entry] });
  lab.first.put('v1.1.0/landfall-1.1.0-amd64.release.json', bytes);
  return entry.bundles.amd64.thin as { manifest: string };
}

/** Runs the command of the timer. Returns what it did. */
async function run({ at = inWindow, limit = 900 }: Night = {}, failure?: Error) {
  const { context, host } = lab;
  const did: string[] = [];
  await installScheduled(context, limit, {
    now: () => new Date(at),
    stage: async (_facts, next) => {
      did.push(`stage ${next.version}`);
      if (failure) throw failure;
      const source = { urls: [], part: null };
      const { version: to, manifest } = next;
      const staged = newTransaction({ kind: 'update', from: '1.0.0', to, manifest, source });
      await storedTransaction.write(host, { ...staged, state: 'staged' });
      return { ...staged, state: 'staged' };
    },
    start: async (_facts, { to }, { lock, unattended, keepsPrevious = true }) => {
      did.push(`start ${to}`);
      expect({ unattended, keepsPrevious }).toEqual({ unattended: true, keepsPrevious: true });
      await lock.release();
    },
  });
  return did;
}

const all = ['stage 1.1.0', 'start 1.1.0'];

describe('an unattended update', () => {
  it('installs the release in the window', async () => {
    await open();
    expect(await run()).toEqual(all);
    expect(output).toEqual(['Updating from 1.0.0 to 1.1.0.']);
  });

  it.each(['none', 'critical'] as const)(
    'only downloads outside of the window, with security: %s',
    async (security) => {
      await open();
      lab.first.publish({ serial: 9, releases: [channelRelease('1.1.0', { security })] });
      expect(await run({ at: '2026-12-01T12:00:00Z' })).toEqual(['stage 1.1.0']);
      expect(output[0]).toContain('is installed at the start of the next window, 03:00-05:00');
      expect(await storedTransaction.read(lab.host)).toMatchObject({ state: 'staged' });
    },
  );

  it('waits for the next night if the rest of the window is too short', async () => {
    await open();
    expect(await run({ at: '2026-12-01T04:45:01Z' })).toEqual(['stage 1.1.0']);
    expect(await run({ at: '2026-12-01T04:45:00Z' })).toEqual(all);
  });

  it('installs after midnight in a window that passes it', async () => {
    await open({ updates: { window: '23:30-01:30' } });
    expect(await run({ at: '2026-12-01T00:20:00Z' })).toEqual(all);
  });

  it('does nothing for a site that only announces updates', async () => {
    await open({ updates: { mode: 'notify' } });
    expect(await run()).toEqual([]);
  });

  it('never installs a release again that was rolled back', async () => {
    const { manifest } = await open();
    await addToHistory(lab.host, {
      ...{ at: '2026-11-30T03:20:00.000Z', id: 'x', kind: 'update', from: '1.0.0', to: '1.1.0' },
      ...{ manifest, outcome: 'rolled-back', took: 1, closed: null, keepsPrevious: true },
      reason: { code: 'STACK_UNHEALTHY', message: 'ui does not start', problems: [] },
    });
    expect(await run()).toEqual([]);
    expect(output[0]).toMatch(/not installed again without a request: .*ui does not start/);
  });

  it.each(['update', 'changes', 'first-boot'] as const)(
    'skips a night in which another command has the lock: %s',
    async (name) => {
      await open();
      const lock = await takeRunLock(lab.host, name);
      expect(await run()).not.toContain('start 1.1.0');
      await lock.release();
      expect(await run()).toContain('start 1.1.0');
    },
  );

  it('skips a night in which another command runs, or the mirrors are down', async () => {
    await open();
    const busy = new LandfallError('ALREADY_RUNNING', 'another command is changing this server');
    expect(await run({}, busy)).toEqual(['stage 1.1.0']);
    const timeout = new LandfallError('NETWORK_TIMEOUT', 'no response');
    expect(await run({}, timeout)).toEqual(['stage 1.1.0']);
    lab.first.remove('stable/channel.json');
    expect(await run()).toEqual([]);
  });

  it('fails with an error that another night does not solve', async () => {
    await open();
    const failure = new LandfallError('STATE_INVALID', 'a file is damaged');
    await expect(run({}, failure)).rejects.toBe(failure);
  });

  it('downloads nothing without space, and sends one alert', async () => {
    await open({ chats: 15e12 });
    for (const _night of [1, 2]) {
      await expect(run()).rejects.toMatchObject({ code: 'DISK_FULL' });
    }
    expect(lab.receiver.accepted).toEqual([
      expect.stringContaining('release 1.1.0 was not installed: the update needs '),
    ]);
  });

  it('sends one alert if the update takes longer than the window', async () => {
    await open({ updates: { window: '03:00-04:00' } });
    for (const _night of [1, 2]) expect(await run({ limit: 3600 })).toEqual(['stage 1.1.0']);
    expect(lab.receiver.accepted).toEqual([
      expect.stringContaining('it may take 1 h 0 min, and the window 03:00-04:00 is too short'),
    ]);
  });
});

describe('the expected time of an update', () => {
  const minutes = (pause: number | null, size: number, limit: number) =>
    expectedTime(pause, { size }, limit) / 60_000;

  it('adds the copy of the chats to the longest pause, and takes at least 5 minutes', () => {
    expect(minutes(null, 0, 60)).toBe(5);
    expect(minutes(30_000, 3e9, 900)).toBe(16);
    expect(minutes(20 * 60_000, 3e9, 900)).toBe(21);
  });
});
