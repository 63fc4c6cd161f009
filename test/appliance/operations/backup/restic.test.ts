import { mkdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { type BackupTarget, backup } from '#contract/site/backup/targets.ts';
import { repositoryOf } from '../../../../appliance/operations/backup/repository.ts';
import { Restic } from '../../../../appliance/operations/backup/restic.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import type { CommandOptions } from '../../../../appliance/server/host/run/command.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const direct = { route: { mode: 'direct' } } as const;
const folder = { kind: 'folder', path: '/mnt/backup' } as const;
const sftp = { kind: 'sftp', host: 'b.example.com', port: 22, user: 'me', path: '/l' } as const;
const bucket = { kind: 's3', url: 'https://s3.example.com/bucket/x' } as const;

/** A server whose restic, and then ssh, ends with these lines. */
function failing(...runs: ReadonlyArray<readonly string[]>) {
  const { root } = TemporaryHost.with({
    'etc/landfall/secrets/backup-s3-id': 'AKIA1',
    'etc/landfall/secrets/backup-s3-secret': 'very-secret',
  });
  mkdirSync(`${root}/mnt/backup`, { recursive: true });
  const calls: Array<{ args: readonly string[]; options: CommandOptions }> = [];
  const left = [...runs];
  const host = new Host(root, async (file, args, options = {}) => {
    if (file === 'systemctl') return { code: 0, stdout: '', stderr: '' };
    calls.push({ args, options });
    const lines = left.shift();
    if (!lines) return { code: 0, stdout: 'printed', stderr: '' };
    const problems = lines.map((message) => ({ message }));
    throw new LandfallError('COMMAND_FAILED', 'restic exited with code 1', { problems });
  });
  return { host, calls };
}

async function run(target: BackupTarget, ...runs: ReadonlyArray<readonly string[]>) {
  const { host, calls } = failing(...runs);
  const repository = await repositoryOf(host, direct, target);
  const result = new Restic(host, repository).run(['snapshots']);
  await result.catch(() => undefined);
  return { result, calls };
}

describe('restic', () => {
  it('keeps the secrets of a bucket out of arguments', async () => {
    const { result, calls } = await run(bucket);
    expect(await result).toBe('printed');
    expect(calls[0]?.args.join(' ')).toContain('restic -r s3:https://s3.example.com/bucket/x');
    expect(JSON.stringify(calls)).not.toContain('very-secret');
  });

  it.each([
    ['https://chats-125.cos.ap-guangzhou.myqcloud.com/landfall', 'cos.ap-guangzhou.myqcloud.com'],
    ['https://cos.ap-guangzhou.myqcloud.com/chats-125/landfall', 'cos.ap-guangzhou.myqcloud.com'],
  ])('puts the bucket of %s into the host name, in its region', async (url, host) => {
    const { options, url: repository } = await repositoryOf(failing().host, direct, {
      kind: 's3',
      url,
    });
    expect(repository).toBe(`s3:https://${host}/chats-125/landfall`);
    const expected = ['-o', 's3.bucket-lookup=dns', '-o', 's3.region=ap-guangzhou'];
    expect(options).toEqual(expected);
  });

  it('addresses the bucket of another store as the site says', async () => {
    const { host } = failing();
    expect(await repositoryOf(host, direct, bucket)).toMatchObject({ options: [] });
    const target = { ...bucket, virtual_host: true, region: 'eu-1' };
    expect(await repositoryOf(host, direct, target)).toMatchObject({
      url: 's3:https://s3.example.com/bucket/x',
      options: ['-o', 's3.bucket-lookup=dns', '-o', 's3.region=eu-1'],
    });
  });

  it.each([
    ['The bucket you are attempting to access must be addressed using COS virtual-styled domain.'],
    ['Please use virtual hosted style to access.'],
    ['Virtual host domain is required while accessing a specific bucket.'],
  ])('says what to set if a store prints %j', async (line) => {
    const { result } = await run(bucket, [`Fatal: create repository failed: ${line}`]);
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_ACCESS',
      hint: 'Set `virtual_host: true` and `region` for it in `backup` of the site.',
    });
  });

  it('says that a cloud has no such bucket, which restic cannot create there', async () => {
    const line =
      'Fatal: create repository at s3:https://s3.example.com/bucket/x failed: client.MakeBucket: The bucket you are attempting to access must be addressed using COS virtual-styled domain.';
    const { result } = await run(bucket, [line]);
    await expect(result).rejects.toMatchObject({ code: 'BACKUP_MISSING' });
  });

  it.each([
    ["The authorization header is malformed; the region is wrong; expecting 'eu-1'."],
    ["The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-1'"],
    [
      'Fatal: create repository at s3:https://s3.example.com/bucket/x failed: client.BucketExists: 400 Bad Request',
    ],
  ])('says that the region is missing if a store prints %j', async (line) => {
    const { result } = await run(bucket, [line]);
    await expect(result).rejects.toMatchObject({
      code: 'BACKUP_ACCESS',
      hint: 'Set `region` for it in `backup` of the site.',
    });
  });

  it.each([
    ['Fatal: wrong password or no key found', 'BACKUP_PASSWORD'],
    ['Fatal: unable to open config file: stat /repository/config: no such file', 'BACKUP_MISSING'],
    ['subprocess ssh: Host key verification failed.', 'BACKUP_ACCESS'],
    ['me@b.example.com: Permission denied (publickey).', 'BACKUP_ACCESS'],
    ['The AWS access key ID you provided does not exist in our records.', 'BACKUP_ACCESS'],
    [
      'Fatal: unable to open config file: Stat: The request signature we calculated does not match the signature you provided.',
      'BACKUP_ACCESS',
    ],
    [
      'Fatal: unable to open config file: Stat: The AWS Access Key Id you provided does not exist in our records.',
      'BACKUP_ACCESS',
    ],
    [
      'Fatal: unable to open config file: Stat: No user exists with the provided access key ID.',
      'BACKUP_ACCESS',
    ],
    [
      'Fatal: unable to open config file: Stat: Get "https://s3.example.com/bucket/?location=": x509: certificate signed by unknown authority',
      'BACKUP_ACCESS',
    ],
    [
      'Fatal: unable to open config file: Stat: Get "https://s3.example.com/bucket/?location=": dial tcp 192.0.2.1:443: connect: connection refused',
      'BACKUP_FAILED',
    ],
    ['Fatal: unable to open config file: context canceled', 'BACKUP_FAILED'],
    ['Stat: The specified bucket does not exist.', 'BACKUP_MISSING'],
    ['write /repository/data/1-tmp-2: no space left on device', 'DISK_FULL'],
    ['pack 1: does not exist', 'BACKUP_FAILED'],
    ['Fatal: repository contains errors', 'BACKUP_DAMAGED'],
    ['cannot dump file: path "/backup/x" not found in snapshot', 'BACKUP_DAMAGED'],
  ])('recognises %j as %s', async (line, code) => {
    const { result } = await run(folder, [line]);
    await expect(result).rejects.toMatchObject({ code, problems: [{ message: line }] });
  });

  it('shows the text of an error that restic 0.18 prints as JSON', async () => {
    const { result } = await run(folder, [
      '{"message_type":"exit_error","code":1,"message":"Fatal: it does not work"}',
    ]);
    await expect(result).rejects.toMatchObject({
      problems: [{ message: 'Fatal: it does not work' }],
    });
  });

  it('asks ssh for the reason that restic has not printed', async () => {
    const { result, calls } = await run(
      sftp,
      ['Fatal: unable to start the sftp session'],
      ['Host key verification failed.'],
    );
    await expect(result).rejects.toMatchObject({ code: 'BACKUP_ACCESS' });
    expect(calls[1]?.args.join(' ')).toMatch(/ \/usr\/bin\/ssh .*me@b\.example\.com -s sftp$/);
  });

  it('does not start for a folder that does not exist', async () => {
    const { result, calls } = await run({ kind: 'folder', path: '/mnt/away' });
    await expect(result).rejects.toMatchObject({ code: 'BACKUP_MISSING' });
    expect(calls).toEqual([]);
  });

  it('names the secret of a bucket that is not set', async () => {
    const host = TemporaryHost.with({});
    await expect(repositoryOf(host, direct, bucket)).rejects.toMatchObject({
      code: 'BACKUP_ACCESS',
      hint: 'Run: sudo landfall secret set backup-s3-id',
    });
  });
});

describe('a target of backups', () => {
  const parse = (target: object) => backup.safeParse({ to: [target] });

  it('renders every target that a site accepts as words that restic splits alike', async () => {
    const text = fc.string({ unit: 'binary-ascii', maxLength: 20 });
    const host = fc.oneof(text, fc.domain());
    await fc.assert(
      fc.asyncProperty(host, text, text, async (name, user, end) => {
        const parsed = parse({ kind: 'sftp', host: name, user, path: `/${end}` });
        if (!parsed.success) return;
        const [target] = parsed.data?.to ?? [];
        const { options, connect } = await repositoryOf(
          TemporaryHost.with({}),
          direct,
          target as BackupTarget,
        );
        // restic splits the command at spaces and quotes.
        expect(options[1]?.split(' ')).toHaveLength(connect?.length ?? 0);
        expect(options[1]).not.toMatch(/["'\\\n]/);
        expect(connect?.at(-3)).not.toMatch(/^-/);
      }),
      { numRuns: fuzzRuns(2000) },
    );
  });

  it.each([
    { kind: 'folder', path: '/' },
    { kind: 'folder', path: '/mnt/../etc' },
    { kind: 'folder', path: '/mnt/a b' },
    { kind: 'folder', path: '/mnt/a:b' },
    { kind: 'sftp', host: '-oProxyCommand=x', user: 'me', path: '/x' },
    { kind: 'sftp', host: 'b.example.com', user: '-x', path: '/x' },
    { kind: 's3', url: 'http://s3.example.com/bucket' },
    { kind: 's3', url: 'https://s3.example.com/' },
    { kind: 's3', url: 'https://cos.ap-guangzhou.myqcloud.com/' },
    { kind: 's3', url: 'https://192.0.2.1/bucket', virtual_host: true },
    { kind: 's3', url: 'https://s3.example.com/bucket', region: 'eu 1' },
    { kind: 's3', url: 'https://id:secret@s3.example.com/bucket' },
  ])('rejects a target that programs could read in another way: %j', (target) => {
    expect(parse(target).success).toBe(false);
  });
});
