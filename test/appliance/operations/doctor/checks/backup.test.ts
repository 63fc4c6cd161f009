import { describe, expect, it } from 'vitest';
import { backupStateFile } from '#contract/server-paths.ts';
import { backupCheck } from '../../../../../appliance/operations/doctor/checks/backup.ts';
import { newTarget, type TargetState } from '../../../../../appliance/server/records/backups.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { english } from '../look.ts';

const name = '/mnt/backup';
const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
const good = { at: days(0), snapshot: 'aaaaaaaa', total: 1, added: 1 };
const test = { at: days(1), took: 1, failure: null, snapshot: 'aaaaaaaa' };

/** Returns the findings of a server with one target. */
async function found(part: Partial<TargetState>) {
  const targets = { [name]: { ...newTarget(), lastGood: good, ...part } };
  const text = JSON.stringify({ schema: 1, isConfirmed: true, targets });
  const host = TemporaryHost.with({ [backupStateFile]: text });
  const site = { backup: { to: [{ kind: 'folder', path: name }] } };
  if (backupCheck.needs !== 'site') return [];
  return await backupCheck.run(contextFor(host, { site }));
}

describe('the check of backups', () => {
  it('finds nothing after a good backup and a good restore test', async () => {
    expect(await found({ created: days(90), lastTest: test })).toEqual([]);
  });

  it('reports a restore test that failed, with its reason', async () => {
    const failure = { code: 'BACKUP_TEST_FAILED', message: 'a file is missing' };
    expect(await found({ lastTest: { ...test, failure } })).toEqual([
      {
        ...{ code: 'BACKUP_TEST_FAILED', subject: name },
        text: english(`the last restore test of ${name} failed`),
        details: ['a file is missing'],
      },
    ]);
  });

  it('reports that no restore test ran for 40 days', async () => {
    const [finding] = await found({ created: days(90), lastTest: { ...test, at: days(41) } });
    expect(finding?.text.en).toBe(`${name} had no restore test for 41 days`);
    expect(await found({ created: days(41) })).toMatchObject([{ code: 'BACKUP_TEST_FAILED' }]);
    expect(await found({ created: days(39) })).toEqual([]);
  });

  it('reports an old backup and a failed restore test together', async () => {
    const failure = { code: 'BACKUP_TEST_FAILED', message: 'it is away' };
    const part = { lastGood: { ...good, at: days(2) }, lastTest: { ...test, failure } };
    const codes = (await found(part)).map(({ code }) => code);
    expect(codes).toEqual(['BACKUP_OLD', 'BACKUP_TEST_FAILED']);
  });
});
