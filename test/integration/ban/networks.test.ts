import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  actionFile,
  filterFile,
  jailsFile,
  renderAction,
  renderFilter,
  renderIgnoreCommand,
  renderJails,
} from '../../../appliance/stages/ban/service.ts';
import { renderTable } from '../../../appliance/stages/firewall/table.ts';
import { factsOf } from '../../appliance/stages/firewall/facts-of.ts';
import { inChroot } from '../chroot.ts';
import { Namespace } from '../firewall/namespaces.ts';
import { needs } from '../needs.ts';
import { waiting } from '../stack/waiting.ts';

const given = needs('trixie', 'bookworm');

const ban = {
  ssh: [22],
  ignored: ['2001:db8:a:a::1'],
  unlimited: ['2001:db8:c0::/48', '198.51.100.0/24'],
};
/** Address from which the administrator is logged in. */
const owner = '2001:db8:f:f::1';
const loginctl = `#!/bin/sh
case $1 in
  list-sessions) echo '3 1000 ops'; echo '4 1000 ops' ;;
  *) [ "$2" = 3 ] && printf 'RemoteHost=${owner}\\nState=active\\n' ;;
esac
`;
let processes = 800;
/** fail2ban treats lines of one process as one connection. */
const nextProcess = () => (processes += 1);
/** Differences from a server: other paths, and no journal. */
const asked = 'ignorecommand = env PATH=/mnt/bin:/usr/bin:/bin /mnt/owner <ip>';
const local = `[sshd]
backend = polling
logpath = /mnt/ssh.log
${asked}
[gateway-login]
logpath = /mnt/access.log
${asked}
[gateway-scan]
logpath = /mnt/access.log
${asked}
`;

for (const suite of ['bookworm', 'trixie'] as const) {
  given.describe(`bans of networks, with fail2ban and nft of ${suite}`, () => {
    let folder: string;
    let network: Namespace;
    const run = async (command: string, ...args: string[]) =>
      await inChroot(given[suite], { folder, command, args, network: network.pid });
    const client = (...args: string[]) =>
      run('fail2ban-client', '-c', '/mnt/fail2ban', '-s', '/mnt/socket', ...args);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'landfall-ban-'));
      network = await Namespace.open();
      const table = renderTable(factsOf());
      expect((await network.runIn(given[suite], ['nft', '--file', '-'], table)).all).toBe('');
      await writeFiles();
      const paths = ['-s', '/mnt/socket', '-p', '/mnt/pid', '--logtarget', '/mnt/fail2ban.log'];
      const started = await run('fail2ban-server', '-c', '/mnt/fail2ban', ...paths, '-b', 'start');
      expect(started).toMatchObject({ exitCode: 0 });
    });
    afterAll(async () => {
      await client('stop');
      network.close();
      await rm(folder, { recursive: true, force: true });
    });

    async function writeFiles(): Promise<void> {
      const settings = join(folder, 'fail2ban');
      await cp(join(given[suite], 'etc/fail2ban'), settings, { recursive: true });
      await mkdir(join(folder, 'bin'));
      const configPath = (path: string) => join(settings, path.replace('etc/fail2ban/', ''));
      for (const [path, content] of [
        [configPath(actionFile), renderAction()],
        [configPath(filterFile), renderFilter()],
        [configPath(jailsFile), renderJails(ban)],
        [configPath('jail.d/zz-test.local'), local],
        [configPath('fail2ban.d/test.local'), '[Definition]\ndbfile = /mnt/bans.sqlite3\n'],
        [join(folder, 'owner'), renderIgnoreCommand()],
        [join(folder, 'bin/loginctl'), loginctl],
        [join(folder, 'access.log'), ''],
        [join(folder, 'ssh.log'), ''],
      ] as const) {
        await writeFile(path, content, { mode: 0o755 });
      }
    }

    /** Writes a line as nginx does; an IPv6 address is logged with its network. */
    async function request(
      from: readonly string[],
      line = 'POST /api/v1/auths/signin',
      status = 400,
    ) {
      const now = new Date()
        .toUTCString()
        .replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
      const lines = from.map((address) => {
        const client = address.includes(':') ? `${address}/64` : address;
        return `${client} - - [${now}] "${line} HTTP/1.1" ${status} 1 "-" "-"\n`;
      });
      await appendFile(join(folder, 'access.log'), lines.join(''));
    }
    async function login(from: readonly string[]) {
      const now = new Date().toISOString();
      const lines = from.map(
        (address) =>
          `${now} server sshd[${nextProcess()}]: Invalid user admin from ${address} port 40022\n`,
      );
      await appendFile(join(folder, 'ssh.log'), lines.join(''));
    }
    const set = async (name: string) =>
      (
        await network.runIn(given[suite], [
          'nft',
          'list',
          'set',
          'inet',
          'landfall',
          `banned-${name}`,
        ])
      ).all;
    const inNetwork = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${prefix}:${index + 1}:0:0:${index + 1}`);
    const times = (address: string, count: number) => Array<string>(count).fill(address);

    it('cover the /64 whose addresses attacked the gateway together, and no other', async () => {
      await request(inNetwork('2001:db8:1:2', 9));
      await request(inNetwork('2001:db8:1:3', 10));
      await expect
        .poll(() => set('gateway-login-6'), waiting)
        .toContain('2001:db8:1:3:: timeout 1h');
      expect(await set('gateway-login-6')).not.toContain('2001:db8:1:2:');
      await request(['2001:db8:1:2:ffff::1']);
      await expect
        .poll(() => set('gateway-login-6'), waiting)
        .toContain('2001:db8:1:2:: timeout 1h');
    });

    it('cover the /64 of an address that attacked SSH, and a single address of IPv4', async () => {
      await login(times('2001:db8:7:7:aaaa::1', 5));
      await login(times('203.0.113.9', 5));
      await expect.poll(() => set('sshd-6'), waiting).toContain('2001:db8:7:7:: timeout 1h');
      await expect.poll(() => set('sshd-4'), waiting).toContain('203.0.113.9 timeout 1h');
    });

    it('removes a ban on request, by address or by the network that fail2ban shows', async () => {
      expect((await client('status', 'gateway-login')).output).toContain('2001:db8:1:3::/64');
      expect((await client('set', 'gateway-login', 'unbanip', '2001:db8:1:3::/64')).output).toBe(
        '1',
      );
      expect((await client('set', 'sshd', 'unbanip', '2001:db8:7:7:aaaa::1')).output).toBe('1');
      await expect.poll(() => set('gateway-login-6'), waiting).not.toContain('2001:db8:1:3:');
      await expect.poll(() => set('sshd-6'), waiting).not.toContain('2001:db8:7:7:');
    });

    it('never cover the /64 of a logged-in address, or of an address that is never banned', async () => {
      for (const address of ['2001:db8:f:f::2', '2001:db8:a:a::2', 'fe80::2']) {
        await login(times(address, 10));
        await request(times(address, 20));
      }
      await login(times('2001:db8:8:8::1', 5));
      await request(times('2001:db8:8:8::1', 10));
      await expect.poll(() => set('sshd-6'), waiting).toContain('2001:db8:8:8::');
      await expect.poll(() => set('gateway-login-6'), waiting).toContain('2001:db8:8:8::');
      for (const jail of ['sshd-6', 'gateway-login-6']) {
        expect(await set(jail)).not.toMatch(/2001:db8:[af]:|fe80/);
      }
    });

    it('cover shared networks only at SSH', async () => {
      for (const address of ['2001:db8:c0:1::1', '198.51.100.7']) {
        await request(times(address, 20));
        await login(times(address, 5));
      }
      await request(times('2001:db8:8:9::1', 10));
      await request(times('203.0.113.10', 10));
      await expect.poll(() => set('gateway-login-6'), waiting).toContain('2001:db8:8:9::');
      await expect.poll(() => set('gateway-login-4'), waiting).toContain('203.0.113.10');
      expect(await set('gateway-login-6')).not.toContain('2001:db8:c0:');
      expect(await set('gateway-login-4')).not.toContain('198.51.100.7');
      await expect.poll(() => set('sshd-6'), waiting).toContain('2001:db8:c0:1::');
      await expect.poll(() => set('sshd-4'), waiting).toContain('198.51.100.7');
    });
  });
}
