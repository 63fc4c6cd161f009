import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { inTerminal, keys, landfall } from '../../pty/terminal.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { releaseKey, strangerKey } from '../../simulator/keys.ts';
import { TerminalRig } from './rig.ts';

const site = `release: [https://downloads.example.com/]
admin:
  ssh_keys:
    - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop
`;

let rig: TerminalRig;
beforeAll(async () => {
  rig = await TerminalRig.make();
  const bundleOf = (change: Partial<Release>) =>
    makeBundle({
      release: (release) => ({
        ...release,
        expires: '2099-01-01T00:00:00Z',
        keys: { ...release.keys, release: release.keys.release.slice(0, 1), recovery: null },
        ...change,
      }),
    });
  const bundle = bundleOf({});
  await rig.write('good.tar', bundle);
  await rig.write('landfall-1.2.0-amd64.tar', bundle);
  await mkdir(join(rig.folder, 'empty'));
  await mkdir(join(rig.folder, 'folder'));
  await rig.write('folder/landfall-1.2.0-amd64.tar', bundle);
  await rig.write('newer.tar', bundleOf({ version: '1.3.0' }));
  await rig.write('bad.tar', bundle.subarray(0, -1));
  await rig.write('release.pub', publicKeyPem(releaseKey.public));
  await rig.write('unknown.pub', publicKeyPem(strangerKey.public));
  await rig.write('site.yaml', site);
  const quiet = ['--release', 'good.tar', '--key', 'release.pub', '--quiet'];
  await rig.run('user-data', '--output', 'honest.yaml', ...quiet);
  await rig.write('typo.yaml', site.replace('admin:', 'admin:\n  user：ops'));
  await rig.write('resigned.tar', bundle);
  const pkcs8 = { format: 'pem', type: 'pkcs8' } as const;
  const passphrase = { cipher: 'aes-256-cbc', passphrase: 'open sesame' };
  const { privateKey } = strangerKey;
  await rig.writeSecret('stranger.key', String(privateKey.export(pkcs8)));
  await rig.writeSecret('locked.key', String(privateKey.export({ ...pkcs8, ...passphrase })));
});
afterAll(() => rig.close());

/** Command lines with the exit code and text of the output. */
const ends: ReadonlyArray<readonly [args: string, status: number, text: string]> = [
  ['verify good.tar --key release.pub', 0, 'verified: landfall'],
  ['verify bad.tar --key release.pub', 6, 'BUNDLE_TRUNCATED'],
  ['verify release.pub --key release.pub', 6, 'release.pub is not a bundle'],
  ['verify folder --key release.pub', 0, 'verified: landfall'],
  ['inspect folder', 0, 'signed by'],
  ['page', 0, 'open it in a browser'],
  ['page --output missing/page.html', 8, 'FILE_MISSING'],
  ['verify empty --key release.pub', 8, 'has no bundle'],
  ['sign resigned.tar --key stranger.key', 0, 'signed: landfall'],
  ['sign bad.tar --key stranger.key', 6, 'BUNDLE_TRUNCATED'],
  ['sign good.tar --key missing.key', 7, 'KEY_MISSING'],
  ['inspect good.tar', 0, 'signed by'],
  ['inspect site.yaml', 6, 'site.yaml is not a bundle'],
  ['diff good.tar good.tar --exit-code', 0, 'No differences.'],
  ['diff good.tar newer.tar', 0, '1.2.0 → 1.3.0'],
  ['diff good.tar newer.tar --exit-code', 1, '1.2.0 → 1.3.0'],
  ['diff good.tar newer.tar --markdown', 0, '| changed | `version` | `1.2.0` | `1.3.0` |'],
  ['diff good.tar newer.tar --key unknown.pub', 6, 'BUNDLE_UNTRUSTED'],
  ['diff good.tar site.yaml', 4, 'LOCK_INVALID'],
  ['user-data --release good.tar --key release.pub', 0, 'user-data.yaml'],
  ['user-data --release good.tar --key unknown.pub', 6, 'BUNDLE_UNTRUSTED'],
  [
    'user-data --site typo.yaml --release good.tar --key release.pub',
    3,
    '\n  user: ops\nhint: Fix',
  ],
  ['user-data --release missing.tar', 8, 'missing.tar does not exist'],
  ['user-data --release good.tar --provider alibba', 9, 'Did you mean alibaba?'],
  ['explain honest.yaml --release good.tar --key release.pub', 0, 'plain: byte for byte'],
  ['explain honest.yaml', 12, 'cannot be compared'],
  ['explain site.yaml --release good.tar --key release.pub', 0, 'Make user-data of it'],
  ['explain honest.yaml --release good.tar --key unknown.pub', 6, 'BUNDLE_UNTRUSTED'],
  ['explain good.tar', 3, 'CONFIG_ENCODING'],
  ['explain missing.yaml', 8, 'FILE_MISSING'],
  ['install root@127.83.12.99 --release missing', 8, 'missing does not exist'],
  ['manual', 0, '.TH LANDFALL 1'],
  ['install -oProxyCommand=x --release good.tar --key release.pub', 2, 'USAGE'],
  ['install root@127.83.12.99 --key release.pub', 2, 'the bundle is not given'],
  ['install root@127.83.12.99 --release good.tar --key release.pub', 13, 'SSH_UNREACHABLE'],
  ['push x --release good.tar --ssh-proxy http://me:secret@127.0.0.1:1', 2, 'has a password'],
  ['ssh-through-proxy 127.0.0.1 22', 5, 'NETWORK_PROXY'],
  ['push root@127.83.12.99 --release landfall-1.2.0-amd64.tar', 13, 'SSH_UNREACHABLE'],
  ['push root@127.83.12.99 --release bad.tar', 2, 'Rename it'],
  ['push --update root@127.83.12.99 --release landfall-1.2.0-amd64.tar', 13, 'SSH_UNREACHABLE'],
  ['push --update x --proxies p.yaml --release good.tar', 2, 'USAGE'],
  ['site push root@127.83.12.99 --site missing.yaml', 3, 'CONFIG_MISSING'],
  ['site push root@127.83.12.99 --json', 2, 'Add --yes'],
  ['smoke --address 127.83.12.99', 11, 'SMOKE_FAILED'],
  ['preview --help', 0, 'There is no hardening'],
  ['preview --keep-data', 2, 'error USAGE'],
];

describe('landfall diff', () => {
  it('uses colour on a terminal only, and not with NO_COLOR or --markdown', async () => {
    const args = ['diff', 'good.tar', 'newer.tar'];
    const yellow = '\u001b[33m~';
    expect((await rig.run(...args)).output).toContain(yellow);
    expect((await rig.run(...args, '--markdown')).output).not.toContain('\u001b[');
    const plain = await inTerminal([...landfall, ...args], {
      cwd: rig.folder,
      env: { NO_COLOR: '1' },
    }).end();
    expect(plain.output).not.toContain('\u001b[');
  });
});

describe('landfall sign with an encrypted key', () => {
  it('asks for the passphrase, and Ctrl-C changes nothing', async () => {
    const before = await rig.read('good.tar');
    const run = rig.start('sign', 'good.tar', '--key', 'locked.key');
    await run.shows('Key passphrase');
    run.type(keys.interrupt);
    const { status, text } = await run.end();
    expect(text).toContain('nothing was changed');
    expect(status).toBe(130);
    expect((await rig.read('good.tar')).equals(before)).toBe(true);
  });
});

describe('on a terminal', () => {
  it.each(ends)('landfall %s ends', async (args, status, text) => {
    const end = await rig.run(...args.split(' '));
    expect(end.text).toContain(text);
    expect(end.status).toBe(status);
  });

  it.each([
    'verify pipe --key release.pub',
    'inspect pipe',
    'diff pipe good.tar',
    'user-data --release pipe --key release.pub',
    'explain pipe',
    'smoke --site pipe',
    'preview good.tar --key release.pub --site pipe',
  ])('landfall %s ends on Ctrl-C', async (args) => {
    expect((await rig.interrupt(...args.split(' '))).status).toBe(130);
  });
});
