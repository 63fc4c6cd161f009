import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { setLanguage } from '#contract/text/language.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { formatKeyId, publicKeyPem } from '#contract/trust/keys.ts';
import { explainCommand } from '../../../builder/commands/explain/explain.ts';
import { userDataCommand } from '../../../builder/commands/user-data.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { releaseKey, strangerKey } from '../../simulator/keys.ts';
import { runCommand, terminalIn } from './terminal.ts';

const site = `
release: [https://downloads.example.com/landfall/]
admin:
  user: me
  ssh_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop
hosts: { ui: chat.example.com }
tls: { mode: acme, accept_terms: true }
route: { mode: http-proxy, url: http://eve:s3cret@10.0.0.2:7890 }
mirrors: { registries: { docker.io: https://mirror.example.com } }
firewall: { allow: [8443/tcp] }
providers: { openai: { base_url: https://api.openai.com/v1 } }
`.replace('  user: me\n', '  user: me\n  email: me@example.com\n');

const keys = { release: [releaseKey.public.spki], recovery: null };
const relay = {
  ...{ component: 'relay', reference: 'docker.io/x/relay:1', index: digestOf('relay') },
  ...{ manifest: null, config: null, size: null, optional: true },
};
const bundleOf = (change: Partial<Release> = {}) =>
  makeBundle({
    release: (release) => ({
      ...release,
      expires: '2099-01-01T00:00:00Z',
      keys,
      images: [relay],
      ...change,
    }),
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-explain-'));
  const write = (name: string, content: string | Uint8Array) =>
    writeFile(join(folder, name), content);
  await write('site.yaml', site);
  const bundle = bundleOf();
  await write('landfall-1.2.0-amd64.tar', bundle);
  const head = headOf(bundle);
  for (const name of ['release.json', 'release.json.sig'] as const)
    await write(`landfall-1.2.0-amd64.${name}`, head.get(name) ?? '');
  await write('newer.tar', bundleOf({ version: '1.3.0' }));
  await write('release.pub', publicKeyPem(releaseKey.public));
  await write('unknown.pub', publicKeyPem(strangerKey.public));
  const options = ['--release', 'landfall-1.2.0-amd64.tar', '--allow-route-password'];
  await runCommand(userDataCommand, terminalIn(folder), ...options);
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => setLanguage('en'));

const release = ['--release', 'landfall-1.2.0-amd64.release.json', '--key', 'release.pub'];

async function run(...args: string[]) {
  const terminal = terminalIn(folder);
  await runCommand(explainCommand, terminal, ...args);
  return { out: terminal.out(), err: terminal.err(), exitCode: terminal.exitCode() };
}

describe('landfall explain', () => {
  it('says what released user-data does, and exits with 0', async () => {
    const { out, err, exitCode } = await run('user-data.yaml', ...release);
    expect(exitCode).toBe(0);
    expect(err).toBe('');
    for (const line of [
      /^format +cloud-config$/m,
      /^release +landfall 1\.2\.0 \(amd64\)$/m,
      new RegExp(`^trusts +${formatKeyId(releaseKey.public.id)}  \\(release key\\)$`, 'm'),
      /^script +[0-9a-f]{64} {2}unpack\.py {2}as released$/m,
      /^downloads +release: https:\/\/downloads\.example\.com\/landfall\/ through http:\/\/10\.0\.0\.2:7890\/$/m,
      /^may log in +me, with sudo/m,
      /^ +ssh-ed25519 SHA256:6HPVMlUe3fofwH\/aMJOTGX8jeC26t0ZA4RsYQ9of3IM me@laptop$/m,
      /^opens +the port of SSH, 80\/tcp, 443\/tcp, 8443\/tcp$/m,
      /^serves +chat\.example\.com {2}ui$/m,
      /^route +http-proxy http:\/\/10\.0\.0\.2:7890\/, with its login in this file$/m,
      /^downloads +images that the bundle lacks: docker\.io → https:\/\/mirror\.example\.com\/$/m,
      /^sends to +chats of the provider openai: https:\/\/api\.openai\.com\/v1$/m,
      /^ {2}tls\.mode {2}"acme"\n {6}The source of the certificate\.$/m,
      /^plain: byte for byte what Landfall writes/m,
    ]) {
      expect(out).toMatch(line);
    }
    expect(out).not.toContain('s3cret');
    expect(out).not.toMatch(/upgrades|ports\./);
  });

  it('says the same in Chinese', async () => {
    setLanguage('zh');
    const { out } = await run('user-data.yaml', ...release);
    for (const text of ['格式', '信任', '与版本一致', '可以登录', '开放端口', '线路', '没有问题'])
      expect(out).toContain(text);
    expect(out).toContain('证书颁发机构的服务条款');
    expect((await run('user-data.yaml')).out).toContain('没有给出版本');
  });

  it('prints JSON without secrets with --json', async () => {
    const { out, exitCode } = await run('user-data.yaml', ...release, '--json');
    expect(exitCode).toBe(0);
    expect(out).not.toContain('s3cret');
    expect(JSON.parse(out)).toMatchObject({
      ...{ plain: true, compared: true, format: 'cloud-config', findings: [] },
      release: { product: 'landfall', version: '1.2.0' },
      keys: [{ role: 'release', keyId: releaseKey.public.id }],
      sources: [{ url: 'https://downloads.example.com/landfall/', proxy: 'http://10.0.0.2:7890/' }],
      site: {
        ...{ user: 'me', route: 'http-proxy', hosts: { ui: 'chat.example.com' } },
        opens: ['80/tcp', '443/tcp', '8443/tcp'],
        fields: expect.arrayContaining([
          { field: 'tls.mode', value: 'acme' },
          { field: 'route.url', value: null },
        ]),
      },
    });
  });

  it('says what a site does that is not in user-data yet', async () => {
    const { out, exitCode } = await run('site.yaml', ...release);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^opens +the port of SSH, 80\/tcp, 443\/tcp, 8443\/tcp$/m);
    expect(out).toMatch(/^ {2}tls\.mode {2}"acme"$/m);
    expect(out).toContain('Make user-data of it with `landfall user-data`.');
    const json = await run('site.yaml', '--json');
    expect(JSON.parse(json.out)).toMatchObject({ site: { user: 'me', route: 'http-proxy' } });
    expect(out + json.out).not.toContain('s3cret');
  });

  it('exits with 12 if there are findings, or no release to compare with', async () => {
    const without = await run('user-data.yaml');
    expect(without.exitCode).toBe(12);
    expect(without.out).toContain('cannot be compared: no release is given');
    expect(without.out).toContain('add --release');
    expect(without.out).not.toContain('plain:');
    await writeFile(join(folder, 'other.yaml'), '#cloud-config\nbootcmd: [id]\n');
    const other = await run('other.yaml', ...release);
    expect(other.exitCode).toBe(12);
    expect(other.out).toMatch(/! line 2: `bootcmd` \(.*every boot\) is not of Landfall: \["id"\]/);
    const json = JSON.parse((await run('other.yaml', ...release, '--json')).out);
    expect(json).toMatchObject({ plain: false, site: null });
    expect(json.findings).toContainEqual(
      expect.objectContaining({ kind: 'setting', subject: 'bootcmd', line: 2 }),
    );
  });

  it('names a release of another version', async () => {
    const { out, exitCode } = await run(
      'user-data.yaml',
      '--release',
      'newer.tar',
      '--key',
      'release.pub',
    );
    expect(exitCode).toBe(12);
    expect(out).toContain('has `version` "1.2.0" instead of "1.3.0"');
  });

  it('rejects a release that is not signed by the given key, and a missing file', async () => {
    const unknown = run('user-data.yaml', ...release.slice(0, 2), '--key', 'unknown.pub');
    await expect(unknown).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
    await expect(run('missing.yaml')).rejects.toMatchObject({ code: 'FILE_MISSING' });
    await expect(run('.')).rejects.toMatchObject({ code: 'FILE_ACCESS' });
    await expect(run('landfall-1.2.0-amd64.tar')).rejects.toMatchObject({
      code: 'CONFIG_ENCODING',
    });
  });
});
