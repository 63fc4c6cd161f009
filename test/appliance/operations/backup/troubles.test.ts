import { describe, expect, it } from 'vitest';
import { backupTroubles } from '../../../../appliance/operations/backup/troubles.ts';
import type { Trouble } from '../../../../appliance/server/alerts/troubles.ts';
import { newTarget, type TargetState } from '../../../../appliance/server/records/backups.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const name = '/mnt/backup';
const { site } = contextFor(TemporaryHost.with({}), {
  site: { backup: { to: [{ kind: 'folder', path: name }] } },
});
const now = Date.parse('2026-11-20T12:00:00.000Z');
const hours = (count: number) => new Date(now - count * 3600_000).toISOString();
const good = (age: number, total = 5e9) => ({ at: hours(age), snapshot: 'abc', total, added: 1 });
const run = (message?: string) => ({
  ...{ at: hours(1), took: 1 },
  failure: message === undefined ? null : { code: 'BACKUP_FAILED', message },
});

function found(part: Partial<TargetState>, known: readonly string[] = []): Trouble[] {
  const targets = { [name]: { ...newTarget(), created: hours(90), lastGood: good(1), ...part } };
  return backupTroubles(
    site,
    { schema: 1, isConfirmed: true, targets, earlier: null },
    new Set(known),
    0.1,
    now,
  );
}

describe('troubles of backups', () => {
  it('finds nothing at a target that works', () => {
    expect(found({ lastRun: run(), space: { free: 50e9, size: 100e9 } })).toEqual([]);
  });

  it.each([
    ['run', { lastRun: run('it is away') }, 'backup to /mnt/backup'],
    ['check', { lastCheck: run('it is away') }, 'check of the backups at /mnt/backup'],
    ['test', { lastTest: { ...run('it is away'), snapshot: null } }, 'restore test of /mnt/backup'],
  ])('names a failed %s with its reason', (what, part, subject) => {
    expect(found(part)).toMatchObject([
      { id: `backup ${what} ${name}`, state: 'failed', subject, detail: 'it is away' },
    ]);
  });

  it('names a target without a good run for 26 hours', () => {
    expect(found({ lastGood: good(25) })).toEqual([]);
    expect(found({ lastGood: good(27) })).toMatchObject([{ id: `backup late ${name}` }]);
    expect(found({ lastGood: null, created: hours(27) })).toHaveLength(1);
    expect(found({ lastGood: null, created: hours(2) })).toEqual([]);
  });

  it('does not repeat a failed run as a late one, and keeps a late one until a run succeeds', () => {
    const part = { lastGood: good(40), lastRun: run('it is away') };
    expect(found(part).map(({ id }) => id)).toEqual([`backup run ${name}`]);
    const late = `backup late ${name}`;
    expect(found(part, [late]).map(({ id }) => id)).toContain(late);
  });

  it('says how much the backups grew', () => {
    const sizes = [{ at: hours(100), total: 3e9 }];
    expect(found({ sizes })).toMatchObject([
      { subject: 'the backup at /mnt/backup grew from 3.0 GB to 5.0 GB within a week' },
    ]);
  });

  it('names a target with less space than 10 %, or than a backup takes', () => {
    expect(found({ space: { free: 9e9, size: 100e9 } })).toMatchObject([
      { subject: '/mnt/backup is nearly full: 9.0 GB free', over: '/mnt/backup has space again' },
    ]);
    expect(found({ space: { free: 4e9, size: 20e9 } })).toHaveLength(1);
    expect(found({ space: { free: 6e9, size: 20e9 } })).toEqual([]);
  });

  it('ends a lack of space only when there is a quarter more', () => {
    const known = [`backup space ${name}`];
    expect(found({ space: { free: 11e9, size: 100e9 } }, known)).toHaveLength(1);
    expect(found({ space: { free: 13e9, size: 100e9 } }, known)).toEqual([]);
  });
});
