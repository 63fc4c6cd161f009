import { describe, expect, it } from 'vitest';
import { chooseBackup } from '../../../../appliance/operations/restore/choose-backup.ts';
import { emptyRelease } from '../../context.ts';
import { manifest, ResticFails, serverWith, snapshot } from './repository.ts';

const noFile = 'cannot dump file: path "/backup/manifest.json" not found in snapshot';

interface Stored {
  readonly snapshots?: unknown;
  /** What `restic dump` prints. */
  readonly manifest?: unknown;
  /** What `restic stats` prints. */
  readonly stats?: unknown;
}

/** Chooses a backup of a repository. Returns the promise, and the commands of restic. */
function choose(stored: Stored, wanted?: string, version = '1.0.0') {
  const commands: string[] = [];
  const { restic } = serverWith((args) => {
    commands.push(args.join(' '));
    if (args[0] === 'snapshots') return stored.snapshots ?? [snapshot('aaaa1111', -1)];
    if (args[0] === 'dump') return stored.manifest ?? manifest;
    return stored.stats ?? { total_size: 4096, total_file_count: 3 };
  });
  const release = { ...emptyRelease, version };
  return { commands, result: chooseBackup(restic, release, wanted) };
}

const of = (change: Partial<typeof manifest.release>, dataEpoch = 1) => ({
  ...{ ...manifest, dataEpoch },
  release: { ...manifest.release, ...change },
});

describe('the choice of a backup', () => {
  const snapshots = [
    snapshot('aaaa1111', -30),
    snapshot('aabb2222', -6),
    snapshot('cccc3333', 48),
    snapshot('dddd4444', -54),
  ];

  it('takes the newest backup, unless it is of the future', async () => {
    const { result, commands } = choose({ snapshots });
    expect(await result).toMatchObject({ snapshot: { id: 'aabb2222' }, manifest, size: 4096 });
    expect(commands).toEqual([
      'snapshots --json --no-lock',
      'dump aabb2222 /backup/manifest.json --no-lock',
      'stats aabb2222 --mode restore-size --json --no-lock',
    ]);
  });

  it('takes a backup of a clock that is a few minutes ahead', async () => {
    const { result } = choose({ snapshots: [...snapshots, snapshot('eeee5555', 0.2)] });
    expect(await result).toMatchObject({ snapshot: { id: 'eeee5555' } });
  });

  it.each([
    ['the beginning of its ID', 'aaaa', 'aaaa1111'],
    ['its ID', 'aaaa1111', 'aaaa1111'],
    ['its long ID', 'aaaa1111'.padEnd(64, '0'), 'aaaa1111'],
    ['its ID although it is of the future', 'cccc3333', 'cccc3333'],
  ])('takes a backup by %s', async (_how, wanted, id) => {
    const { result } = choose({ snapshots }, wanted);
    expect(await result).toMatchObject({ snapshot: { id } });
  });

  it('lists all backups if none has the ID', async () => {
    const { result } = choose({ snapshots }, 'ffff');
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_MISSING',
      message: '/mnt/backup has no backup ffff',
      problems: [/^cccc3333 2/, /^aabb2222 2/, /^aaaa1111 2/, /^dddd4444 2/].map((text) => ({
        message: expect.stringMatching(text),
      })),
    });
  });

  it('lists the backups that have an ambiguous ID', async () => {
    const { result } = choose({ snapshots }, 'aa');
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_MISSING',
      message: '/mnt/backup has 2 backups aa…',
      problems: [/^aabb2222/, /^aaaa1111/].map((text) => ({
        message: expect.stringMatching(text),
      })),
    });
  });

  it('names the clock if all backups are dated in the future', async () => {
    const { result } = choose({ snapshots: [snapshot('cccc3333', 48)] });
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_MISSING',
      message: 'all backups at /mnt/backup are dated in the future',
      hint: expect.stringMatching(/`date`.*`sudo landfall restore cccc3333`/),
    });
  });

  // Go prints an empty list as null.
  it.each([[[]], ['null']])('rejects a repository with the list %j', async (none) => {
    const { result } = choose({ snapshots: none });
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_MISSING',
      message: 'there are no backups at /mnt/backup',
    });
  });
});

describe('the release of a backup', () => {
  const url = 'https://releases.example.com/landfall-1.2.0-amd64.tar';

  it.each(['1.0.0', '1.3.0'])('accepts a backup of 1.0.0 on %s', async (version) => {
    await expect(choose({}, undefined, version).result).resolves.toMatchObject({ manifest });
  });

  it('names the newer release that a backup needs, and where it comes from', async () => {
    const { result, commands } = choose({ manifest: of({ version: '1.2.0', url }) });
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_RELEASE',
      message: 'the backup aaaa1111 is of release 1.2.0, which is newer than 1.0.0',
      hint: `Install release 1.2.0 or a later one (${url}).`,
    });
    expect(commands).toHaveLength(2);
  });

  it('names no URL of a release that was sent over SSH', async () => {
    const { result } = choose({ manifest: of({ version: '1.2.0' }) });
    await expect(result).rejects.toMatchObject({ hint: 'Install release 1.2.0 or a later one.' });
  });

  it.each([0, 2])('rejects a backup with the data format %s', async (dataEpoch) => {
    const { result } = choose({ manifest: of({ version: '0.9.0', url }, dataEpoch) });
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_RELEASE',
      message: 'the backup aaaa1111 is of release 0.9.0, whose data 1.0.0 cannot read',
      hint: expect.stringMatching(/server with release 0\.9\.0.*\(https:\/\/releases\.example/),
    });
  });
});

describe('the manifest of a backup', () => {
  it('accepts a manifest of a later release with fields that are unknown here', async () => {
    const later = {
      ...{ ...manifest, engines: [{ name: 'y' }] },
      release: { ...manifest.release, mirror: 'x' },
    };
    const { manifest: read } = await choose({ manifest: later }).result;
    expect(read).toEqual(manifest);
  });

  it('accepts a manifest whose release has no digest and no URL', async () => {
    const { url: _url, manifest: _digest, ...release } = manifest.release;
    const { manifest: read } = await choose({ manifest: { ...manifest, release } }).result;
    expect(read.release).toMatchObject({ url: null, manifest: null });
  });

  it('rejects a backup without a manifest', async () => {
    const { result } = choose({ manifest: new ResticFails(noFile) });
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_DAMAGED',
      message: expect.stringMatching(
        /^the backup aaaa1111 at \/mnt\/backup cannot be used: .*missing/,
      ),
    });
  });

  it('does not call a backup damaged whose repository cannot be reached', async () => {
    const lost = 'Stat: Get "https://s3.example.com": dial tcp 192.0.2.1:443: i/o timeout';
    const { result } = choose({ manifest: new ResticFails(lost) });
    await expect(result).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
  });

  it.each([
    ['is no JSON', 'no JSON'],
    ['is of another schema', { ...manifest, schema: 2 }],
    ['has no number of the data format', { ...manifest, dataEpoch: undefined }],
    ['has a version that is none', of({ version: '../1.0.0' })],
    ['counts users in words', { ...manifest, users: 'two' }],
  ])('rejects a manifest that %s', async (_flaw, read) => {
    await expect(choose({ manifest: read }).result).rejects.toMatchObject({
      code: 'BACKUP_DAMAGED',
      message: expect.stringContaining('its manifest is invalid'),
    });
  });

  it.each([['nothing'], [{ total_size: '1' }], [{}]])(
    'rejects a backup whose size restic prints as %j',
    async (stats) => {
      await expect(choose({ stats }).result).rejects.toMatchObject({
        code: 'BACKUP_DAMAGED',
        message: expect.stringContaining('its size cannot be read'),
      });
    },
  );
});
