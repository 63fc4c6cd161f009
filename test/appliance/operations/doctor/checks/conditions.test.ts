import { describe, expect, it } from 'vitest';
import { backupStateFile, transactionFile } from '#contract/server-paths.ts';
import {
  accessCheck,
  backupCheck,
  diskSpaceCheck,
  relayUsageCheck,
  stuckUpdateCheck,
} from '../../../../../appliance/operations/doctor/checks/conditions.ts';
import { newTarget, type TargetState } from '../../../../../appliance/server/records/backups.ts';
import { newTransaction } from '../../../../../appliance/server/records/transaction.ts';
import { contextFor } from '../../../context.ts';
import { withoutSpace, withSpace } from '../../../disk-settings.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

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

  it.each([
    ['lastRun', 'BACKUP_OLD', `backup to ${name} failed: a file is missing`],
    [
      'lastCheck',
      'BACKUP_TEST_FAILED',
      `check of the backups at ${name} failed: a file is missing`,
    ],
    ['lastTest', 'BACKUP_TEST_FAILED', `restore test of ${name} failed: a file is missing`],
  ])('reports what failed, with its reason: %s', async (run, code, en) => {
    const failure = { code: 'BACKUP_FAILED', message: 'a file is missing' };
    expect(await found({ [run]: { ...test, failure } })).toMatchObject([
      { code, subject: name, text: { en } },
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
    expect(codes.toSorted()).toEqual(['BACKUP_OLD', 'BACKUP_TEST_FAILED']);
  });
});

describe('the check of the usage of relay keys', () => {
  const site = (relay: object) => ({
    site: { providers: { openai: { base_url: 'https://api.openai.com/v1' } }, relay },
  });

  it('reports usage that cannot be read, for a site with budgets', async () => {
    const host = TemporaryHost.with({});
    const relay = { keys: [{ name: 'intern', tokens_per_day: 5 }] };
    expect(await look(relayUsageCheck, host, site(relay))).toEqual([
      [
        ...['RELAY_USAGE_UNUSABLE', 'relay usage'],
        'counting of relay keys failed: its folder does not exist',
      ],
    ]);
    expect(await look(relayUsageCheck, host, site({ keys: ['phone'] }))).toEqual([]);
  });
});

describe('the check of the disk space', () => {
  it('finds a disk that is low on space', async () => {
    expect(await look(diskSpaceCheck, TemporaryHost.with(withSpace))).toEqual([]);
    expect(await look(diskSpaceCheck, TemporaryHost.with(withoutSpace))).toEqual([
      ['DISK_LOW', '/', expect.stringMatching(/^low disk space: .* free in \/$/)],
    ]);
  });
});

describe('the check of the update', () => {
  it.each([
    ['stuck', [['UPDATE_STUCK', '1.1.0', 'the rollback of 1.1.0 is stuck; nothing was deleted']]],
    ['rolling-back', []],
  ] as const)('finds a rollback that is stuck, and no other: %s', async (state, findings) => {
    const source = { urls: [], part: null };
    const fields = { kind: 'update', from: '1.0.0', to: '1.1.0', source } as const;
    const open = { ...newTransaction({ ...fields, manifest: 'a'.repeat(64) }), state };
    const host = TemporaryHost.with({ [transactionFile]: JSON.stringify(open) });
    expect(await look(stuckUpdateCheck, host)).toEqual(findings);
  });
});

describe('the check of the tunnel', () => {
  const checked = async (isUp: boolean) => {
    const host = TemporaryHost.with(
      {},
      { 'systemctl is-active --quiet wg-quick@wg-access.service': isUp ? 0 : 3 },
    );
    if (accessCheck.needs !== 'site') return [];
    return await accessCheck.run(contextFor(host, { site: { access: { mode: 'wireguard' } } }));
  };

  it('reports that WireGuard is down, with a fix', async () => {
    expect(await checked(false)).toMatchObject([
      {
        code: 'ACCESS_DOWN',
        text: { en: 'WireGuard failed: no device can reach the chat' },
        fix: {},
      },
    ]);
  });

  it('reports no fault of a tunnel that no device uses yet', async () => {
    expect(await checked(true)).toEqual([]);
  });
});
