import { describe, expect, it } from 'vitest';
import { conditionsOf } from '../../../../appliance/operations/backup/conditions.ts';
import { type Condition, idOf } from '../../../../appliance/server/conditions/condition.ts';
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

function found(part: Partial<TargetState>, known: readonly string[] = []): Condition[] {
  const targets = { [name]: { ...newTarget(), created: hours(90), lastGood: good(1), ...part } };
  const state = { schema: 1, isConfirmed: true, targets, earlier: null } as const;
  return conditionsOf(site, state, 0.1, new Set(known), now);
}

describe('the conditions of backups', () => {
  it('finds nothing at a target that works', () => {
    expect(found({ lastRun: run(), space: { free: 50e9, size: 100e9 } })).toEqual([]);
  });

  it.each([
    ['run', { lastRun: run('it is away') }, 'backup to /mnt/backup'],
    ['check', { lastCheck: run('it is away') }, 'check of the backups at /mnt/backup'],
    ['test', { lastTest: { ...run('it is away'), snapshot: null } }, 'restore test of /mnt/backup'],
  ])('names a failed %s with its reason', (what, part, thing) => {
    expect(found(part)).toMatchObject([
      {
        topic: `backup ${what}`,
        subject: name,
        thing: { en: thing },
        detail: { en: 'it is away' },
      },
    ]);
  });

  it('names a target without a good run for 26 hours', () => {
    expect(found({ lastGood: good(25) })).toEqual([]);
    expect(found({ lastGood: good(27) })).toMatchObject([{ topic: 'backup late' }]);
    expect(found({ lastGood: null, created: hours(27) })).toHaveLength(1);
    expect(found({ lastGood: null, created: hours(2) })).toEqual([]);
  });

  it('does not repeat a failed run as a late one, and keeps a late one until a run succeeds', () => {
    const part = { lastGood: good(40), lastRun: run('it is away') };
    expect(found(part).map(idOf)).toEqual([`backup run ${name}`]);
    const late = `backup late ${name}`;
    expect(found(part, [late]).map(idOf)).toContain(late);
  });

  it('says how much the backups grew', () => {
    const sizes = [{ at: hours(100), total: 3e9 }];
    expect(found({ sizes })).toMatchObject([
      { what: { en: 'the backup at /mnt/backup grew from 3.0 GB to 5.0 GB within a week' } },
    ]);
  });

  it('names a target with less space than 10 %, or than a backup takes', () => {
    expect(found({ space: { free: 9e9, size: 100e9 } })).toMatchObject([
      {
        what: { en: '/mnt/backup is nearly full: 9.0 GB free' },
        over: { en: '/mnt/backup has space again' },
      },
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
