import { chmod, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import {
  renderUserData,
  type UserDataInputs,
} from '../../../../builder/deliver/user-data/render.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { inputsWith, rendered, sourceUrl } from './rendered.ts';

const folder = await workFolder();
const call = 'echo "$(basename "$0") $*" >>"$LANDFALL_ROOT/calls"\n';
const tools = {
  id: 'echo "${USER_ID:-0}"\n',
  systemctl: `${call}[ "$1" != try-restart ]\n`,
  'update-ca-certificates': call,
};
await mkdir(join(folder, 'tools'));
for (const [name, text] of Object.entries(tools)) {
  await writeFile(join(folder, 'tools', name), `#!/bin/sh\n${text}`);
  await chmod(join(folder, 'tools', name), 0o755);
}

let count = 0;
/** A server whose root is a folder, on which the script runs with the commands of the system replaced. */
class ScratchServer {
  readonly root = join(folder, `root-${count++}`);

  async run(changes: Partial<UserDataInputs> = {}, { shell = 'sh', userId = '0', cut = 0 } = {}) {
    await mkdir(this.root, { recursive: true });
    const { bytes } = renderUserData(inputsWith({ format: 'shell', ...changes }));
    const text = decodeUtf8(bytes);
    return await execa(shell, [], {
      input: text.slice(0, text.length - cut),
      env: {
        PATH: `${join(folder, 'tools')}:/usr/bin:/bin`,
        LANDFALL_ROOT: this.root,
        USER_ID: userId,
      },
      extendEnv: false,
      reject: false,
      all: true,
    });
  }

  async files(): Promise<string[]> {
    const found = await readdir(this.root, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `/${relative(this.root, join(parentPath, name))}`)
      .filter((path) => path !== '/calls')
      .sort();
  }

  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }
}

describe('the script of user-data', () => {
  const sites = [
    ['a site with one source', siteWith({ release: [sourceUrl] })],
    [
      'a site with DNS servers',
      siteWith({ release: [sourceUrl], dns: { nameserver: ['9.9.9.9'] } }),
    ],
    [
      'a site with a SOCKS5 proxy',
      siteWith({
        release: [sourceUrl],
        route: { mode: 'socks5', url: 'socks5h://10.0.0.2:1080' },
      }),
    ],
    ['a server that waits for its bundle', siteWith({ release: 'push' })],
  ] as const;

  it.each(sites)('writes the files of cloud-config byte for byte: %s', async (_what, site) => {
    const { files, permissions } = rendered({ site });
    const server = new ScratchServer();
    expect(await server.run({ site })).toMatchObject({ exitCode: 0 });
    const written = (await server.files()).filter((path) => !path.startsWith('/root/'));
    expect(written).toEqual([...files.keys()].sort());
    for (const [path, content] of files) {
      expect(await server.read(path)).toBe(content);
      const { mode } = await lstat(join(server.root, path));
      expect(mode & 0o777).toBe(Number.parseInt(permissions.get(path) ?? '0644', 8));
    }
  });

  it.each(['dash', 'bash'])('runs in %s, and starts the first boot', async (shell) => {
    const server = new ScratchServer();
    const { all } = await server.run({}, { shell });
    expect(all).toBe('landfall: started; follow it with: journalctl -fu landfall-boot');
    expect(await server.read('calls')).toBe(
      'systemctl enable --now --no-block landfall-boot.service\n',
    );
  });

  it('adds the CA of the site before the first download', async () => {
    const { cert: ca } = new CertificateAuthority();
    const server = new ScratchServer();
    await server.run({ site: siteWith({ release: [sourceUrl], ca }) });
    const path = 'usr/local/share/ca-certificates/cloud-init-ca-cert-1.crt';
    expect(await server.read(path)).toBe(`${ca.trim()}\n`);
    expect((await server.read('calls')).split('\n').slice(0, 2)).toEqual([
      'update-ca-certificates ',
      'systemctl enable --now --no-block landfall-boot.service',
    ]);
  });

  it('starts without a service of the image', async () => {
    const site = siteWith({ release: [sourceUrl], dns: { nameserver: ['9.9.9.9'] } });
    const server = new ScratchServer();
    expect(await server.run({ site })).toMatchObject({ exitCode: 0 });
    expect(await server.read('calls')).toMatch(/try-restart systemd-resolved\n.*landfall-boot/);
  });

  it('lets the administrator send the bundle to a server that waits, and starts nothing', async () => {
    const server = new ScratchServer();
    const path = 'root/.ssh/authorized_keys';
    await mkdir(dirname(join(server.root, path)), { recursive: true });
    await writeFile(join(server.root, path), 'ssh-rsa AAAA of-the-provider\n');
    const site = siteWith({ release: 'push' });
    expect((await server.run({ site })).all).toContain('landfall push root@<server>');
    const [key = ''] = site.admin.ssh_keys;
    expect(await server.read(path)).toBe(
      `ssh-rsa AAAA of-the-provider\n${key.split(' ').slice(0, 2).join(' ')}\n`,
    );
    expect(await readdir(server.root)).not.toContain('calls');
  });

  it('changes nothing without root, on a server that is set up, or if its end is missing', async () => {
    const server = new ScratchServer();
    const refused = await server.run({}, { userId: '1000' });
    expect(refused).toMatchObject({ exitCode: 1, all: expect.stringContaining('run as root') });
    for (const cut of [2, 200, 5000]) {
      expect((await server.run({}, { cut })).exitCode).not.toBe(0);
    }
    expect(await server.files()).toEqual([]);
    await mkdir(join(server.root, 'var/lib/landfall'), { recursive: true });
    await writeFile(join(server.root, 'var/lib/landfall/installed'), '');
    expect((await server.run()).all).toContain('already set up');
    expect(await server.files()).toEqual(['/var/lib/landfall/installed']);
  });

  // Regression: bash completed words of the scripts that were pasted without bracketed paste.
  it('contains no tab, which a web terminal may take for a key', () => {
    const site = siteWith({
      release: [sourceUrl],
      route: { mode: 'socks5', url: 'socks5h://10.0.0.2:1080' },
    });
    expect(decodeUtf8(renderUserData(inputsWith({ format: 'shell', site })).bytes)).not.toContain(
      '\t',
    );
  });

  it('contains no parameter of a command assistant, such as {{name}}', () => {
    expect(decodeUtf8(renderUserData(inputsWith({ format: 'shell' })).bytes)).not.toContain('{{');
  });

  it('describes the script, and not what to paste', () => {
    const text = decodeUtf8(renderUserData(inputsWith({ format: 'shell' })).bytes);
    expect(text).toMatch(/^#!\/bin\/sh\n# landfall 1\.2\.0: run this whole script as root/);
    expect(text).not.toContain('paste');
  });
});
