import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Release } from '#contract/bundle/release.ts';
import { formatKeyId, publicKeyPem } from '#contract/trust/keys.ts';
import { userDataCommand } from '../../../builder/commands/user-data.ts';
import { makeBundle, makeRelease, sha256 } from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { recoveryKey, releaseKey, secondKey, strangerKey } from '../../simulator/keys.ts';
import { runCommand, terminalIn } from './terminal.ts';

const siteText = `
release: [https://downloads.example.com/landfall/]
admin:
  ssh_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop
`;
/** Sets an expiry date after the date of the tests. */
const lasting = (change: Partial<Release> = {}) =>
  makeBundle({
    release: (release) => ({ ...release, expires: '2099-01-01T00:00:00Z', ...change }),
  });
const amd64 = lasting();
const arm64 = lasting({ arch: 'arm64' });
const pinOf = (bundle: Buffer) => sha256(headOf(bundle).get('release.json') ?? Buffer.alloc(0));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-user-data-'));
  await mkdir(join(folder, 'dist'));
  await write('site.yaml', siteText);
  await write('dist/amd64.tar', amd64);
  await write('dist/arm64.tar', arm64);
  await write('dist/release.pub', publicKeyPem(releaseKey.public));
  await write('second.pub', publicKeyPem(secondKey.public));
  await write('unknown.pub', publicKeyPem(strangerKey.public));
  await write('recovery.pub', publicKeyPem(recoveryKey.public));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (path: string, content: string | Buffer) => writeFile(join(folder, path), content);
const releases = ['--release', 'dist/amd64.tar', 'dist/arm64.tar'];
/** Every key that the releases announce. */
const trust = [
  '--key',
  'dist/release.pub',
  '--key',
  'second.pub',
  '--recovery-key',
  'recovery.pub',
];
const both = [...releases, ...trust];

async function run(...args: string[]) {
  const terminal = terminalIn(folder);
  await runCommand(userDataCommand, terminal, ...args);
  return { out: terminal.out(), err: terminal.err() };
}

async function bootSettings(path = 'user-data.yaml') {
  const { write_files: files } = parse(await readFile(join(folder, path), 'utf8'));
  const file = files.find(({ path }: { path: string }) => path === '/etc/landfall/boot.json');
  return JSON.parse(file.content);
}

describe('a site that enables what its release lacks', () => {
  it('rejects a site with every component that its release lacks, and writes nothing', async () => {
    await write('site.yaml', `${siteText}components: { chat: true }\n`);
    const error = await run(...both).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'USER_DATA_MISMATCH',
      problems: ['amd64', 'arm64'].flatMap((arch) => [
        {
          message: `components.chat is true, but landfall 1.2.0 for ${arch} has no chat`,
          hint: expect.stringContaining('Set components.chat to false'),
        },
        { message: `a front-end is enabled, but landfall 1.2.0 for ${arch} has no relay` },
      ]),
    });
    expect(await readdir(folder)).not.toContain('user-data.yaml');
  });

  it('rejects a site with every model that the release does not lock', async () => {
    await write('site.yaml', `${siteText}models: [gemma3:4b]\n`);
    await expect(run('--release', 'dist/amd64.tar', ...trust)).rejects.toMatchObject({
      code: 'USER_DATA_MISMATCH',
      problems: [
        {
          message: 'models lists gemma3:4b, which landfall 1.2.0 for amd64 does not contain',
          hint: expect.stringContaining('sudo landfall models pull gemma3:4b'),
        },
      ],
    });
  });
});

describe('landfall user-data', () => {
  it('writes the file and prints the trusted keys', async () => {
    const { out, err } = await run(...both);
    expect(await bootSettings()).toMatchObject({
      manifests: { amd64: pinOf(amd64), arm64: pinOf(arm64) },
      sources: [{ url: 'https://downloads.example.com/landfall/' }],
    });
    expect(out).toContain('landfall 1.2.0 for amd64 and arm64');
    expect(out).toContain(`${formatKeyId(releaseKey.public.id)}  (release key)`);
    expect(out).toContain(`${formatKeyId(recoveryKey.public.id)}  (recovery key)`);
    expect(err).not.toContain('secret');
  });

  it('makes the server trust all keys that the release announces', async () => {
    await run(...both);
    const { write_files: files } = parse(await readFile(join(folder, 'user-data.yaml'), 'utf8'));
    const contents = files.map(({ content }: { content: string }) => content);
    for (const { public: key } of [releaseKey, secondKey, recoveryKey]) {
      expect(contents).toContain(publicKeyPem(key));
    }
  });

  it('writes the file readable only by the user and replaces an older one', async () => {
    await write('user-data.yaml', 'older');
    await run(...both);
    expect((await stat(join(folder, 'user-data.yaml'))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
    expect((await bootSettings()).version).toBe('1.2.0');
  });

  it('writes only the text to standard output', async () => {
    const { out, err } = await run(...both, '--output', '-');
    expect(parse(out).write_files.length).toBeGreaterThan(5);
    expect(err).toContain('trusts');
    expect(await readdir(folder)).not.toContain('user-data.yaml');
  });

  it('prints the SHA-256 of the embedded scripts, and how to compare them', async () => {
    const { out } = await run(...both);
    const { bootstrap = [] } = makeRelease([]);
    const embedded = bootstrap.filter(({ name }) => name !== 'socks5.py');
    for (const { name, sha256 } of embedded) expect(out).toContain(`${sha256}  ${name}`);
    expect(out).not.toContain('socks5.py');
    expect(out).toContain('landfall inspect');
    expect(out).toContain(
      'sha256sum /opt/landfall/boot/* /etc/systemd/system/landfall-boot.service',
    );
    expect(JSON.parse((await run(...both, '--json')).out)).toMatchObject({ bootstrap: embedded });
  });

  it('prints JSON with --json', async () => {
    const { out } = await run(...both, '--json');
    expect(JSON.parse(out)).toMatchObject({
      path: 'user-data.yaml',
      format: 'cloud-config',
      manifests: { amd64: pinOf(amd64), arm64: pinOf(arm64) },
      keyIds: [releaseKey.public.id, secondKey.public.id],
      recoveryKeyId: recoveryKey.public.id,
    });
  });

  it('names the URL under which each bundle must be reachable', async () => {
    const folder = 'https://downloads.example.com/landfall';
    const { out } = await run(...both);
    expect(out).toContain(
      `upload     landfall-1.2.0-amd64.tar  to  ${folder}/landfall-1.2.0-amd64.tar`,
    );
    expect(out).toContain(
      `upload     landfall-1.2.0-arm64.tar  to  ${folder}/landfall-1.2.0-arm64.tar`,
    );
    const { urls } = JSON.parse((await run(...both, '--json')).out);
    expect(urls).toContainEqual({
      arch: 'arm64',
      file: 'landfall-1.2.0-arm64.tar',
      url: `${folder}/landfall-1.2.0-arm64.tar`,
    });
  });

  it('fails with --check-urls if a URL does not serve its bundle, and still writes the file', async () => {
    await write(
      'site.yaml',
      siteText.replace('https://downloads.example.com', 'http://127.0.0.1:1'),
    );
    const terminal = terminalIn(folder);
    const ended = runCommand(userDataCommand, terminal, ...both, '--check-urls');
    await expect(ended).rejects.toMatchObject({
      code: 'USER_DATA_URL',
      message: '2 of 2 URLs do not serve the release',
    });
    expect(terminal.out()).toContain(
      'failed     http://127.0.0.1:1/landfall/landfall-1.2.0-arm64.tar',
    );
    expect(terminal.out()).not.toContain('paste');
    expect(await readdir(folder)).toContain('user-data.yaml');
  });

  it('ends with what to paste', async () => {
    const { out } = await run(...both);
    expect(out.indexOf('embeds')).toBeLessThan(out.indexOf('user-data  '));
    expect(out).toMatch(/paste +user-data\.yaml when you create the server\n$/);
    expect((await run(...both, '--output', '-')).err).not.toContain('paste');
  });

  it('ends with the next command for a server that gets its bundle over SSH', async () => {
    await write('site.yaml', siteText.replace(/^release:.*(?:\n +- .*)*/m, 'release: push'));
    const { out } = await run(...both);
    expect(out).toMatch(/send +the bundle then: landfall push <user>@<server>\n$/);
    expect(out).not.toContain('--check-urls');
  });

  it('prints nothing with --quiet', async () => {
    expect((await run(...both, '--quiet')).out).toBe('');
  });

  it('uses the given format if the provider supports it', async () => {
    await run(...both, '--format', 'gzip', '--provider', 'aws', '--output', 'user-data.gz');
    expect((await readFile(join(folder, 'user-data.gz'))).readUInt16BE(0)).toBe(0x1f8b);
    const refused = run(...both, '--format', 'gzip', '--provider', 'hetzner');
    await expect(refused).rejects.toMatchObject({ code: 'USER_DATA_PROVIDER' });
    const unknown = run(...both, '--provider', 'unknown');
    await expect(unknown).rejects.toMatchObject({ code: 'USER_DATA_PROVIDER' });
  });

  it('writes a script, and says that it is run, for a provider without user-data', async () => {
    const { out } = await run(...both, '--provider', '腾讯云轻量');
    expect(await readFile(join(folder, 'user-data.sh'), 'utf8')).toMatch(/^#!\/bin\/sh\n/);
    expect(out).toMatch(/run +user-data\.sh as root on the new server/);
    expect(out).not.toContain('paste');
    const { out: json } = await run(...both, '--format', 'shell', '--json');
    expect(JSON.parse(json)).toMatchObject({ path: 'user-data.sh', format: 'shell' });
  });

  it('prints the warnings for a provider', async () => {
    const { err } = await run(...both, '--provider', 'huawei');
    expect(err).toMatch(/warning: Huawei Cloud: .*password/);
  });
});

describe('a release with another bootstrap', () => {
  it('rejects another bootstrap with every file that differs, and writes nothing', async () => {
    const { bootstrap = [] } = makeRelease([]);
    const changed = bootstrap
      .filter(({ name }) => name !== 'fetch.py')
      .map((file) => (file.name === 'unpack.py' ? { ...file, sha256: '0'.repeat(64) } : file));
    await write('dist/amd64.tar', lasting({ bootstrap: changed }));
    await expect(run(...both)).rejects.toMatchObject({
      code: 'USER_DATA_MISMATCH',
      hint: expect.stringContaining('the Landfall version that built the release'),
      problems: [
        {
          message: expect.stringMatching(
            /^unpack\.py has SHA-256 \w{64}, but .* requires SHA-256 0+$/,
          ),
        },
        {
          message: expect.stringMatching(
            /^fetch\.py .* landfall 1\.2\.0 for amd64 does not list it$/,
          ),
        },
      ],
    });
    expect(await readdir(folder)).not.toContain('user-data.yaml');
  });

  it('accepts a release that is older than the list of bootstrap files, with a warning', async () => {
    const older = makeBundle({
      release: ({ bootstrap: _, ...rest }) => ({ ...rest, expires: '2099-01-01T00:00:00Z' }),
    });
    await write('dist/amd64.tar', older);
    const { err } = await run('--release', 'dist/amd64.tar', ...trust);
    expect(err).toContain(
      'warning: the bootstrap cannot be compared: landfall 1.2.0 for amd64 has no checksums of its files',
    );
    expect((await bootSettings()).manifests).toEqual({ amd64: pinOf(older) });
  });
});

describe('a release for user-data', () => {
  beforeEach(async () => {
    await write('dist/amd64.release.json', headOf(amd64).get('release.json') ?? '');
    await write('dist/amd64.release.json.sig', headOf(amd64).get('release.json.sig') ?? '');
  });

  it('may be the manifest next to the bundle', async () => {
    await run('--release', 'dist/amd64.release.json', ...trust);
    expect((await bootSettings()).manifests).toEqual({ amd64: pinOf(amd64) });
  });

  it('rejects a release for user-data if the manifest was modified', async () => {
    const changed = (headOf(amd64).get('release.json') ?? '').toString().replace('1.2.0', '1.2.1');
    await write('dist/amd64.release.json', changed);
    await expect(run('--release', 'dist/amd64.release.json', ...trust)).rejects.toMatchObject({
      code: 'BUNDLE_UNTRUSTED',
    });
  });

  it('rejects a manifest with models that no bundle of it can contain', async () => {
    const models = [
      { name: 'mine:1b', role: 'chat' as const, manifest: `sha256:${'0'.repeat(64)}`, size: 1 },
    ];
    const head = headOf(lasting({ kind: 'full', models }));
    await write('dist/amd64.release.json', head.get('release.json') ?? '');
    await write('dist/amd64.release.json.sig', head.get('release.json.sig') ?? '');
    await expect(run('--release', 'dist/amd64.release.json', ...trust)).rejects.toMatchObject({
      code: 'BUNDLE_MANIFEST',
      rule: 'model-files',
    });
  });

  it('rejects a manifest without its signature', async () => {
    await rm(join(folder, 'dist/amd64.release.json.sig'));
    await expect(run('--release', 'dist/amd64.release.json', ...trust)).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
  });

  it('rejects a manifest that is too large', async () => {
    await write('dist/amd64.release.json', Buffer.alloc(9 * 1024 * 1024));
    await expect(run('--release', 'dist/amd64.release.json', ...trust)).rejects.toMatchObject({
      code: 'BUNDLE_HEAD',
    });
  });

  it.each([
    ['of several releases', lasting({ arch: 'arm64', version: '1.3.0' }), 'USER_DATA_MISMATCH'],
    ['for the same architecture', amd64, 'USER_DATA_MISMATCH'],
    ['expired', lasting({ expires: '2026-11-02T00:00:00Z' }), 'BUNDLE_EXPIRED'],
    ['signed by an unknown key', makeBundle({ signer: strangerKey }), 'BUNDLE_UNTRUSTED'],
    ['not a bundle', Buffer.alloc(2048, 'x'), 'BUNDLE_HEADER'],
  ])('rejects a release when it is %s, and writes nothing', async (_what, bundle, code) => {
    await write('dist/other.tar', bundle);
    const refused = run('--release', 'dist/amd64.tar', 'dist/other.tar', ...trust);
    await expect(refused).rejects.toMatchObject({ code });
    expect(await readdir(folder)).not.toContain('user-data.yaml');
  });

  it('requires a release for user-data', async () => {
    await expect(run()).rejects.toMatchObject({ code: 'USAGE', message: 'no release is given' });
    await expect(run('--release', 'dist/nothing.tar')).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
  });
});

describe('the keys for user-data', () => {
  const oneKey = lasting({ keys: { release: [releaseKey.public.spki], recovery: null } });

  it('uses the keys next to the bundle by default', async () => {
    await write('dist/amd64.tar', oneKey);
    await run('--release', 'dist/amd64.tar');
    await expect(run('--release', 'dist/amd64.tar', '--key', 'unknown.pub')).rejects.toMatchObject({
      code: 'BUNDLE_UNTRUSTED',
    });
  });

  it('must be given if there is no release.pub', async () => {
    await rm(join(folder, 'dist/release.pub'));
    await expect(run(...releases)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it.each([
    ['beside the bundle', []],
    ['with --key', ['--key', 'dist/release.pub']],
    ['with the recovery key', ['--key', 'dist/release.pub', '--recovery-key', 'recovery.pub']],
  ])('must be all that the release announces: %s', async (_given, options) => {
    const refused = run(...releases, ...options);
    await expect(refused).rejects.toMatchObject({
      code: 'BUNDLE_KEYS',
      problems: [{ message: expect.stringContaining(formatKeyId(secondKey.public.id)) }],
    });
    expect(await readdir(folder)).not.toContain('user-data.yaml');
  });

  it('may be accepted as announced, and the IDs of both are printed', async () => {
    const { err } = await run(...releases, '--accept-new-keys');
    expect(err).toContain(
      `trusted: ${formatKeyId(releaseKey.public.id)} (release key); announced:`,
    );
    expect(err).toContain(`${formatKeyId(recoveryKey.public.id)} (recovery key)`);
  });
});

describe('a site for user-data', () => {
  it('may contain a proxy password with the flag', async () => {
    const route = 'route: { mode: http-proxy, url: "http://me:s3cret@10.0.0.2:7890" }\n';
    await write('site.yaml', siteText + route);
    await expect(run(...both)).rejects.toMatchObject({ code: 'SITE_SECRET' });
    const { out, err } = await run(...both, '--allow-route-password');
    expect(err).toContain('warning: the user-data contains the proxy password');
    expect(out + err).not.toContain('s3cret');
    expect((await bootSettings()).sources[0].proxy).toBe('http://me:s3cret@10.0.0.2:7890');
  });

  it('must exist and be valid', async () => {
    await write('site.yaml', 'admin: {}\n');
    await expect(run(...both)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(run(...both, '--site', 'nowhere.yaml')).rejects.toMatchObject({
      code: 'CONFIG_MISSING',
    });
  });

  it('leaves no temporary file if it cannot be written', async () => {
    await expect(run(...both, '--output', 'nowhere/user-data.yaml')).rejects.toMatchObject({
      code: 'FILE_MISSING',
    });
    await mkdir(join(folder, 'taken'));
    await expect(run(...both, '--output', 'taken')).rejects.toMatchObject({
      code: 'FILE_ACCESS',
      message: expect.stringMatching(/taken is a folder$/),
    });
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });
});
