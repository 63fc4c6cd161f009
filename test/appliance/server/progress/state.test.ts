import { describe, expect, it } from 'vitest';
import {
  bootstrapStatusFile,
  installedMark,
  journalFile,
  statusFile,
} from '#contract/server-paths.ts';
import { takeRunLock } from '../../../../appliance/server/host/lock/run-lock.ts';
import { writeMotd } from '../../../../appliance/server/progress/motd.ts';
import { isOver, outcomeOf, readStanding } from '../../../../appliance/server/progress/state.ts';
import { Journal, type JournalEntry } from '../../../../appliance/server/stage/journal.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { statusOf } from './status-of.ts';

const bootstrap = { [bootstrapStatusFile]: 'runtime/node.tgz: 16 of 50 MB\n' };
const installed = { [installedMark]: '1.2.0\n' };
const status = (...given: Parameters<typeof statusOf>) => ({
  [statusFile]: JSON.stringify(statusOf(...given)),
});

describe('readStanding', () => {
  it.each([
    ['no first boot has started', {}, 'unknown'],
    ['the bootstrap downloads the release', bootstrap, 'bootstrap'],
    ['stages run', { ...bootstrap, ...status('images') }, 'stages'],
    ['an installed server was rebooted', installed, 'installed'],
    ['an installed server runs stages', { ...installed, ...status('images') }, 'stages'],
    ['the status is damaged', { ...bootstrap, [statusFile]: '{"state":' }, 'bootstrap'],
  ])('%s', async (_case, files, kind) => {
    expect(await readStanding(TemporaryHost.with(files))).toMatchObject({ kind });
  });

  it('returns one plain line while the release is downloaded', async () => {
    const host = TemporaryHost.with({ [bootstrapStatusFile]: '\x1b[2Jfetching\nmore\n' });
    expect(await readStanding(host)).toEqual({ kind: 'bootstrap', line: 'fetching' });
  });
});

describe('a first boot with the status running', () => {
  it('reports a first boot as running while a process holds the lock', async () => {
    const host = TemporaryHost.with({ ...installed, ...status('images') });
    const held = await takeRunLock(host, 'first-boot');
    const standing = await readStanding(host);
    expect([outcomeOf(standing), isOver(standing)]).toEqual(['running', false]);
    await held.release();
  });

  it('waits for the administrator, which ends the watch', async () => {
    const host = TemporaryHost.with(status('route', 'running', { waitsFor: 'proxies' }));
    const held = await takeRunLock(host, 'first-boot');
    const standing = await readStanding(host);
    expect([outcomeOf(standing), isOver(standing)]).toEqual(['waiting', true]);
    await held.release();
  });

  it('was interrupted without a process (regression: it ran forever after Ctrl-C)', async () => {
    const standing = await readStanding(TemporaryHost.with({ ...installed, ...status('images') }));
    expect([outcomeOf(standing), isOver(standing)]).toEqual(['interrupted', true]);
  });

  it('continues automatically on a new server', async () => {
    const standing = await readStanding(TemporaryHost.with(status('images')));
    expect([outcomeOf(standing), isOver(standing)]).toEqual(['interrupted', false]);
  });

  it.each([
    ['failed', status('images', 'failed')],
    ['done', status(undefined)],
  ] as const)(
    'reports no interruption of a first boot after the end: %s',
    async (outcome, files) => {
      expect(outcomeOf(await readStanding(TemporaryHost.with(files)))).toBe(outcome);
    },
  );
});

describe('the end of the last run, after a reboot', () => {
  type Entry = Pick<JournalEntry, 'stage' | 'event'> & Partial<JournalEntry>;
  const rebooted = async (...entries: readonly Entry[]) => {
    const host = TemporaryHost.with(installed);
    for (const entry of entries) await new Journal(host).add({ release: '1.2.0', ...entry });
    return await readStanding(host);
  };
  const first: Entry = { stage: 'report', event: 'applied' };

  it('reports a success after a reboot if the last stage has ended', async () => {
    for (const standing of [
      await rebooted(first),
      await rebooted({ stage: 'report', event: 'kept' }),
    ]) {
      expect(standing).toMatchObject({
        kind: 'installed',
        release: '1.2.0',
        unfinished: undefined,
      });
      expect(outcomeOf(standing)).toBe('done');
    }
  });

  it('reports an interruption if only the login message was written', async () => {
    const host = TemporaryHost.with(installed);
    await writeMotd(host, statusOf('preflight'), 'en');
    expect(outcomeOf(await readStanding(host))).toBe('interrupted');
    await writeMotd(host, statusOf(undefined), 'en');
    expect(outcomeOf(await readStanding(host))).toBe('done');
  });

  it('reports a success after a reboot if the journal is missing', async () => {
    expect(outcomeOf(await rebooted())).toBe('done');
    const damaged = TemporaryHost.with({ ...installed, [journalFile]: 'no JSON\n' });
    expect(outcomeOf(await readStanding(damaged))).toBe('done');
  });

  it('reports a failure after a reboot (regression: the server was reported as installed)', async () => {
    const standing = await rebooted(first, { stage: 'ssh', event: 'failed', code: 'SSH_UNPROVEN' });
    expect(standing).toMatchObject({ unfinished: { stage: 'ssh', code: 'SSH_UNPROVEN' } });
    expect([outcomeOf(standing), isOver(standing)]).toEqual(['failed', true]);
  });

  it.each([
    ['within a stage', { stage: 'stack', event: 'started' }],
    ['within the last one', { stage: 'report', event: 'started' }],
    ['between two', { stage: 'images', event: 'kept' }],
  ] as const)('reports an interruption %s', async (_case, entry) => {
    const standing = await rebooted(first, entry);
    expect(standing).toMatchObject({ unfinished: { stage: entry.stage } });
    expect([outcomeOf(standing), isOver(standing)]).toEqual(['interrupted', true]);
  });
});
