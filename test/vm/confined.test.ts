import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SocksProxy } from '../faulty-server/socks-proxy.ts';
import { StageRunner } from '../host/stage-runner/stage-runner.ts';
import { needs } from '../integration/needs.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { Administrator } from './administrator.ts';
import { diskFolder } from './command/folder.ts';
import { confinementOf, denialsIn } from './confinement.ts';
import { Surroundings } from './surroundings.ts';
import { TrueServer } from './true-server.ts';

const given = needs('qemu', 'confinedHost', 'accelerator', 'packageCache');

/** A peer of the kernel's WireGuard in a network namespace, as the first server of a Swarm. Prints its keys. */
const peer = `
set -e
ip netns add first
ip link add first0 type veth peer name first1 netns first
ip addr add 192.0.2.1/30 dev first0
ip link set first0 up
ip -n first addr add 192.0.2.2/30 dev first1
ip -n first link set first1 up
ip -n first link add wg-first type wireguard
wg genkey | cat >/etc/wireguard/first.key
wg genkey | cat >/etc/wireguard/node.key
wg pubkey </etc/wireguard/node.key | cat >/etc/wireguard/node.pub
ip netns exec first wg set wg-first listen-port 51820 private-key /etc/wireguard/first.key \
  peer "$(cat /etc/wireguard/node.pub)" allowed-ips 198.19.253.2/32
ip -n first addr add 198.19.253.1/24 dev wg-first
ip -n first link set wg-first up
wg pubkey </etc/wireguard/first.key | cat
cat /etc/wireguard/node.key`;

given.describe('a server that enforces the AppArmor profiles of Ubuntu 26.04', async () => {
  const folder = await workFolder(diskFolder());
  let surroundings: Surroundings;
  let socks: SocksProxy;
  let server: TrueServer;
  let stages: StageRunner;

  beforeAll(async () => {
    surroundings = await Surroundings.open(given.packageCache);
    const names = { 'mirror.invalid': '127.0.0.1' };
    socks = await SocksProxy.start({ login: 'me:secret', names });
    server = await TrueServer.create({
      folder: join(folder, 'confined'),
      name: 'confined',
      userData: '#cloud-config\n',
      aptSettings: surroundings.aptSettings,
      qemu: given.qemu,
      image: given.confinedHost,
      accelerator: given.accelerator === 'kvm' ? 'kvm' : 'tcg',
    });
    await server.powerOn();
    await server.cloudInit();
    const files = join(folder, 'files');
    await mkdir(files);
    const url = await surroundings.serveFolder(files);
    const { publicKey } = await Administrator.create(files);
    stages = await StageRunner.install(
      {
        run: (command) => server.run(command),
        output: (command) => server.output(command),
        put: async (path, bytes, mode = '0644') => {
          await writeFile(join(files, 'file'), bytes);
          await server.output(`curl -sSf ${url}file -o ${path} && chmod ${mode} ${path}`);
        },
      },
      { admin: { ssh_keys: [publicKey] } },
    );
    // User-data creates this folder on a server.
    await server.output('mkdir -p /etc/landfall');
  });
  afterAll(async () => {
    await server?.remove();
    await socks?.close();
    await surroundings?.close();
  });

  it('checks the password of the administrator with unix_chkpwd', async () => {
    const result = await stages.run('apply', 'users');
    expect(result).not.toHaveProperty('error');
    expect(result.warned).toEqual([]);
  });

  it('runs the HTTP proxy of a SOCKS5 route', async () => {
    const { port } = new URL(surroundings.packages);
    const mirror = `http://mirror.invalid:${port}`;
    const url = `socks5h://me:secret@${socks.host.replace('127.0.0.1', '10.0.2.2')}`;
    const mirrors = { apt: `${mirror}/debian`, apt_security: `${mirror}/debian-security` };
    await stages.give({ site: { route: { mode: 'socks5', url }, mirrors } });
    expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
    const index = `${mirror}/debian/dists/trixie/InRelease`;
    expect(await server.output(`sh -lc 'curl -sSf ${index}'`)).toContain('Suite:');
    const { processes } = await confinementOf(server);
    const running = { profile: 'tinyproxy', status: 'enforce' };
    expect(processes['/usr/bin/tinyproxy']).toEqual([expect.objectContaining(running)]);
  });

  it('connects to another server over WireGuard, and reads the time of the connection', async () => {
    await server.output('apt-get update && apt-get install --yes wireguard-tools');
    const [first = '', key = ''] = (await server.output(peer)).split('\n');
    const token = { name: 'gpu1', address: '198.19.253.2', key, peer: first };
    const joined = await stages.connect({ ...token, host: '192.0.2.2', port: 51820 });
    expect(joined).not.toHaveProperty('error');
    await server.waitFor('ping -c 1 -W 5 198.19.253.1');
    const { lines } = await stages.run('handshakes');
    const [name, seconds] = lines.join().split(' ');
    expect(name).toBe(first);
    expect(Number(seconds)).toBeGreaterThan(0);
  });

  it('denies nothing to the programs of Landfall', async () => {
    expect(await denialsIn(server)).toEqual([]);
  });

  it('warns in preflight of a file that a profile denied, with both names', async () => {
    const other = '/etc/tinyproxy/another one.conf';
    await server.run(`cp /etc/tinyproxy/tinyproxy.conf '${other}' && tinyproxy -d -c '${other}'`);
    const result = await stages.run('prove', 'preflight');
    expect(result).not.toHaveProperty('error');
    expect(result.warned).toContain(
      `the AppArmor profile tinyproxy denied tinyproxy the access r to ${other}`,
    );
  });
});
