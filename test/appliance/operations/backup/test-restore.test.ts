import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupStateFile } from '#contract/server-paths.ts';
import { testTarget } from '../../../../appliance/operations/backup/test-restore.ts';
import { newTarget, storedBackups } from '../../../../appliance/server/records/backups.ts';
import { contextFor } from '../../context.ts';
import { type Answer, type Answers, TemporaryHost } from '../../temporary-host.ts';

const target = { kind: 'folder', path: '/mnt/backup' } as const;
const scratch = 'var/lib/landfall/backup/test';
const counts = { revision: 'r1', users: 2, chats: 3 };
const facts = { ...counts, oldest: null, newest: null, document: null };
/** The backup, which has four files and folders besides its data. */
const files = ['backup/manifest.json', 'backup/ui-data/webui.db'];
const entries = 4;

interface Differences {
  readonly listed?: readonly string[];
  readonly size?: number;
  readonly missing?: string;
  readonly restore?: Answer;
  readonly check?: Answer;
  readonly manifest?: object;
}

/** A server whose restic restores a backup, with differences from one that is whole. */
function server({ listed = ['aaaaaaaa'], size = 1000, manifest = counts, ...more }: Differences) {
  const lastGood = { at: '2026-11-01T00:00:00.000Z', snapshot: 'aaaaaaaa', total: 1, added: 1 };
  const state = {
    schema: 1,
    isConfirmed: true,
    targets: { [target.path]: { ...newTarget(), lastGood } },
  };
  const restic: Answers = {
    stats: JSON.stringify({ total_size: size, total_file_count: entries, snapshots_count: 1 }),
    snapshots: JSON.stringify(
      listed.map((id) => ({ id, short_id: id, time: '2026-11-01T00:00:00Z', hostname: 'box' })),
    ),
    unlock: '',
    restore: () => {
      for (const path of files.filter((each) => each !== more.missing)) {
        mkdirSync(dirname(host.path(scratch, path)), { recursive: true });
        writeFileSync(host.path(scratch, path), JSON.stringify(manifest));
      }
      return more.restore ?? '';
    },
    'backup-check': more.check ?? JSON.stringify(facts),
  };
  const host: TemporaryHost = TemporaryHost.with(
    { [backupStateFile]: JSON.stringify(state), 'mnt/backup/config': '' },
    {
      'systemctl stop': '',
      'rm -rf': (line) => {
        for (const path of line.split(' ').slice(3)) rmSync(path, { recursive: true, force: true });
        return '';
      },
      'systemd-run': (line) => {
        const [, answer = 1] =
          Object.entries(restic).find(([word]) => `${line} `.includes(` ${word} `)) ?? [];
        return typeof answer === 'function' ? answer(line) : answer;
      },
    },
  );
  return host;
}

async function test(differences: Differences = {}) {
  const host = server(differences);
  const { failure } = await testTarget(contextFor(host), target);
  const { targets } = await storedBackups.read(host);
  expect(existsSync(host.path(scratch))).toBe(false);
  return { host, failure, lastTest: targets[target.path]?.lastTest };
}

describe('a restore test', () => {
  it('restores the last backup, opens its databases, and removes it', async () => {
    const { host, failure, lastTest } = await test();
    expect(failure).toBeUndefined();
    expect(lastTest).toMatchObject({ failure: null, snapshot: 'aaaaaaaa' });
    const [restore] = host.ran.filter((line) => line.includes(' restore '));
    expect(restore).toContain(`BindPaths=${host.path(scratch)}:/restored`);
    expect(restore).toMatch(/ restore aaaaaaaa --target \/restored --verify$/);
    expect(host.ran.some((line) => line.includes('volume-task backup-check'))).toBe(true);
  });

  it.each<[string, Differences, string]>([
    ['the last backup is not in the list', { listed: ['bbbbbbbb'] }, 'is not in the list any more'],
    ['restic fails', { restore: 1 }, 'restic failed at /mnt/backup'],
    ['a file is missing', { missing: 'backup/ui-data/webui.db' }, '2 files of the backup'],
    ['a database is damaged', { check: 1 }, 'the restored databases cannot be opened'],
    [
      'a chat is missing',
      { manifest: { ...counts, chats: 4 } },
      'says chats 4, but the data has 3',
    ],
    ['the schema differs', { manifest: { ...counts, revision: 'r2' } }, 'says revision r2'],
    ['the manifest is damaged', { manifest: [] }, 'has no manifest'],
  ])('fails if %s', async (_what, differences, message) => {
    const { failure, lastTest } = await test(differences);
    expect(failure).toMatchObject({
      code: 'BACKUP_TEST_FAILED',
      message: expect.stringContaining(`the restore test of /mnt/backup failed: `),
    });
    expect(failure?.message).toContain(message);
    expect(lastTest?.failure).toEqual({ code: failure?.code, message: failure?.message });
  });

  it('does not compare counts that the backup could not read', async () => {
    const unknown = { revision: null, users: null, chats: null };
    expect((await test({ manifest: unknown })).failure).toBeUndefined();
  });

  it('restores nothing without the space for it', async () => {
    const { host, failure } = await test({ size: 8e15 });
    expect(failure).toMatchObject({ code: 'DISK_FULL' });
    expect(host.ran.some((line) => line.includes(' restore '))).toBe(false);
  });
});
