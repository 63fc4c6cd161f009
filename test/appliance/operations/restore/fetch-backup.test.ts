import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import type { BackupManifest } from '../../../../appliance/operations/backup/manifest.ts';
import {
  expectSpaceForBackup,
  fetchBackup,
} from '../../../../appliance/operations/restore/fetch-backup.ts';
import { adoptRestored } from '../../../../appliance/server/chats/restored-copy.ts';
import { hasCopy } from '../../../../appliance/server/chats/volume-copy.ts';
import { manifest, ResticFails, serverWith } from './repository.ts';

const { space } = vi.hoisted(() => ({ space: { free: 0 } }));
vi.mock('../../../../appliance/server/host/free-space.ts', async (original) => ({
  ...(await original<object>()),
  freeSpace: async (_host: unknown, path: string) => ({ device: 1, path, free: space.free }),
}));

const id = '11111111-2222-3333-4444-555555555555';
const secret = 'etc/landfall/secrets/KEY';
const snapshot = {
  ...{ id: 'aaaa1111', at: '2026-11-01T00:00:00.000Z' },
  ...{ hostname: 'old-server', release: '1.0.0', server: 'server-1' },
};

function write(folder: string, path: string, content = 'x'): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content, { mode: 0o600 });
}

/** Writes what a backup has, below its folder. */
function writeBackup(folder: string): void {
  write(folder, secret, 'secret');
  write(folder, 'manifest.json');
  mkdirSync(join(folder, 'ui-data'));
  using database = new DatabaseSync(join(folder, 'ui-data/webui.db'));
  database.exec(`CREATE TABLE alembic_version (version_num); INSERT INTO alembic_version VALUES ('abc');
    CREATE TABLE user (id, role); INSERT INTO user VALUES ('a', 'admin'), ('b', 'user');
    CREATE TABLE chat (id, user_id, title, created_at);
    INSERT INTO chat VALUES ('1', 'a', 't', 1), ('2', 'a', 't', 2), ('3', 'b', 't', 3)`);
}

interface Circumstances {
  readonly manifest?: Partial<BackupManifest>;
  /** Changes what restic restores. @param folder of the backup, in the volume */
  readonly arrange?: (folder: string) => void;
  /** How restic ends. */
  readonly ends?: ResticFails;
}

/** Fetches a backup on a server with chats and what an interrupted restore has left. */
function fetch({ manifest: change, arrange, ends }: Circumstances = {}) {
  const commands: string[] = [];
  const { host, restic } = serverWith(
    (args, properties) => {
      commands.push(args.join(' '));
      const bound = properties.find((each) => each.endsWith(':/restored')) ?? '';
      const [, target = ''] = /=BindPaths=(.+):\/restored$/.exec(bound) ?? [];
      expect(readdirSync(target)).toEqual([]);
      expect(statSync(target).mode & 0o777).toBe(0o700);
      const folder = join(target, 'backup');
      writeBackup(folder);
      arrange?.(folder);
      return ends ?? '';
    },
    async (_file, args) => {
      const [task, folder = '', copy = ''] = args.slice(args.indexOf('volume-task') + 1);
      return task === 'adopt-restored' ? JSON.stringify(await adoptRestored(folder, copy)) : '';
    },
  );
  const volume = host.path('volumes/landfall_ui-data');
  write(volume, '_data/notes.txt', 'of now');
  write(volume, `_data.restore/backup/${secret}`, 'of an earlier try');
  const backup = {
    ...{ restic: restic.with('person'), snapshot, size: 1 },
    manifest: { ...manifest, ...change },
  };
  const result = fetchBackup({ host, releaseFolder: '/release' }, backup, volume, id);
  return { result, volume, commands };
}

/** Checks that a backup is rejected, and that nothing of it stays. */
async function expectRejected(circumstances: Circumstances, error: object): Promise<void> {
  const { result, volume } = fetch(circumstances);
  await expect(result).rejects.toMatchObject(error);
  expect(readdirSync(volume)).toEqual(['_data']);
  expect(readFileSync(join(volume, '_data/notes.txt'), 'utf8')).toBe('of now');
}

describe('the space for a restored backup', () => {
  const reserve = 512 << 20;
  const { host } = serverWith(() => '');
  const check = (free: number) => {
    space.free = free;
    return expectSpaceForBackup({ host }, { size: 1000 }, host.path('volumes/x'), 24);
  };

  it('accepts a backup that leaves the reserve', async () => {
    await expect(check(reserve + 1024)).resolves.toBeUndefined();
  });

  it('rejects a backup that would take a byte of the reserve', async () => {
    await expect(check(reserve + 1023)).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(/^the restore needs 5\d\d.* \(the backup has 1.*free$/),
    });
  });
});

describe('the fetch of a backup', () => {
  it('restores the settings and makes a copy of the chats, beside those of now', async () => {
    const { result, volume, commands } = fetch();
    const { settings, facts, remove } = await result;
    expect(commands).toEqual(['restore aaaa1111 --target /restored --no-lock']);
    expect(readFileSync(join(settings, secret), 'utf8')).toBe('secret');
    expect(facts).toMatchObject({ revision: 'abc', users: 2, chats: 3 });
    expect(await hasCopy(volume, id)).toBe(true);
    expect(readFileSync(join(volume, '_data/notes.txt'), 'utf8')).toBe('of now');
    await remove();
    expect(existsSync(settings)).toBe(false);
    expect(await hasCopy(volume, id)).toBe(true);
  });

  it('says that the disk of this server is full, not that of the repository', async () => {
    const ends = new ResticFails('write /restored/backup/x: no space left on device');
    await expectRejected(
      { ends },
      { code: 'DISK_FULL', message: expect.stringContaining('disk of this server') },
    );
  });

  it('removes the settings after a failure of restic', async () => {
    await expectRejected({ ends: new ResticFails('anything') }, { code: 'BACKUP_FAILED' });
  });

  it('removes settings and chats after a failure of the copy', async () => {
    const arrange = (folder: string) =>
      writeFileSync(join(folder, 'ui-data/webui.db'), 'no database'.repeat(500));
    await expectRejected({ arrange }, { code: 'BACKUP_DAMAGED' });
  });

  it('adopts no chats of a server that had none', async () => {
    const { result, volume } = fetch({ manifest: { revision: null, users: null, chats: null } });
    expect(await result).toMatchObject({ facts: undefined });
    expect(await hasCopy(volume, id)).toBe(false);
  });
});

describe('the manifest of a fetched backup', () => {
  it.each([
    ['users', { users: 3 }, 'users 3, but the data has 2'],
    ['chats', { chats: 0 }, 'chats 0, but the data has 3'],
    ['revision', { revision: 'abd' }, 'revision abd, but the data has abc'],
  ])('rejects a manifest with other %s than the data', async (_what, change, message) => {
    await expectRejected(
      { manifest: change },
      { code: 'BACKUP_DAMAGED', message: expect.stringContaining(message) },
    );
  });

  it('rejects a manifest with users for data without a database', async () => {
    const arrange = (folder: string) => execFileSync('rm', [join(folder, 'ui-data/webui.db')]);
    await expectRejected(
      { arrange },
      { code: 'BACKUP_DAMAGED', message: expect.stringContaining('but the data has none') },
    );
  });

  it.each(['users', 'chats', 'revision'])('accepts a manifest with unknown %s', async (name) => {
    await expect(fetch({ manifest: { [name]: null } }).result).resolves.toMatchObject({
      facts: { users: 2 },
    });
  });
});

describe('the entries of a fetched backup', () => {
  /** Adds an entry at a path, whose parents are folders. */
  const added = (path: string, add: (path: string) => void) => (folder: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    add(join(folder, path));
  };
  const link = (path: string, leadsTo: string) => added(path, (at) => symlinkSync(leadsTo, at));
  const replaced = (path: string, leadsTo: string) => (folder: string) => {
    execFileSync('rm', ['-r', join(folder, path)]);
    symlinkSync(leadsTo, join(folder, path));
  };
  const acme = 'var/lib/landfall/acme/config';
  const authority = 'etc/landfall/authority';

  it.each([
    [
      'a link to another secret',
      link('etc/landfall/secrets/OTHER', 'KEY'),
      'etc/landfall/secrets/OTHER',
    ],
    ['an absolute link', link(`${authority}/ca`, `/${authority}/x`), `${authority}/ca`],
    [
      'a link out of its folder',
      link(`${authority}/ca`, '../../stages/secrets/KEY'),
      `${authority}/ca`,
    ],
    [
      'a link to a folder with the same beginning',
      link(`${authority}/ca`, '../authority2/x'),
      `${authority}/ca`,
    ],
    ['a link through another link', link(`${authority}/ca`, 'x/../secrets'), `${authority}/ca`],
    ['a folder of the authority that is a link', link(authority, 'x'), authority],
    [
      'a folder of ACME that is a link',
      link('var/lib/landfall/acme', 'x'),
      'var/lib/landfall/acme',
    ],
    ['a link as folder of the settings', replaced('etc', '/etc'), 'backup/etc'],
    ['a link as folder of the state', link('var', '/var'), 'backup/var'],
    [
      'a FIFO',
      added('etc/landfall/pipe', (at) => execFileSync('mkfifo', [at])),
      'etc/landfall/pipe',
    ],
  ])('rejects a backup with %s', async (_kind, arrange, path) => {
    await expectRejected(
      { arrange },
      { code: 'BACKUP_DAMAGED', message: expect.stringContaining(`: ${path} is not what`) },
    );
  });

  it('rejects a link in place of the whole backup', async () => {
    const elsewhere = (folder: string) => {
      execFileSync('mv', [folder, `${folder}-elsewhere`]);
      symlinkSync('backup-elsewhere', folder);
    };
    await expectRejected({ arrange: elsewhere }, { code: 'BACKUP_DAMAGED' });
  });

  it('rejects a backup with a socket', async () => {
    const server = createServer();
    const arrange = added('etc/landfall/socket', (at) => {
      // Paths of sockets are short.
      const before = process.cwd();
      process.chdir(dirname(at));
      server.listen('socket');
      process.chdir(before);
    });
    try {
      await expectRejected(
        { arrange },
        { code: 'BACKUP_DAMAGED', message: expect.stringContaining('etc/landfall/socket') },
      );
    } finally {
      server.close();
    }
  });

  it.each([['the authority', `${authority}/ca`, 'ca.0123456789abcdef']])(
    'keeps a link of %s',
    async (_what, path, leadsTo) => {
      const { settings } = await fetch({ arrange: link(path, leadsTo) }).result;
      expect(readlinkSync(join(settings, path))).toBe(leadsTo);
    },
  );

  it('makes its settings those of root, without a configuration of lego', async () => {
    const arrange = (folder: string) => {
      write(folder, `${acme}/.lego.yml`, 'deploy-hook: id');
      chmodSync(join(folder, secret), 0o6666);
    };
    const { settings, leftOut } = await fetch({ arrange }).result;
    expect(statSync(join(settings, secret)).mode & 0o7777).toBe(0o600);
    expect(existsSync(join(settings, acme, '.lego.yml'))).toBe(false);
    expect(leftOut).toEqual([`${acme}/.lego.yml`]);
  });

  it('leaves out a link among the certificates of lego, which has none', async () => {
    const path = `${acme}/certificates/x.crt`;
    const { settings, leftOut } = await fetch({ arrange: link(path, '../../../../x') }).result;
    expect(existsSync(join(settings, path))).toBe(false);
    expect(leftOut).toEqual([path]);
  });

  it('leaves out a link of an administrator to a certificate', async () => {
    const path = 'etc/landfall/tls/privkey.pem';
    const { settings } = await fetch({ arrange: link(path, '/etc/letsencrypt/x') }).result;
    expect(readdirSync(join(settings, dirname(path)))).toEqual([]);
  });
});
