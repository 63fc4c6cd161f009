import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Outsider } from '../network/outsider.ts';
import type { StageServer } from './stage-server.ts';

const unit = 'landfall-socks.service';
/** The private network of the devices, such as that of WireGuard. */
const [own, device, range] = ['10.99.0.1', '10.99.0.2', '10.99.0.0/24'];
/** A host of the internet. */
const web = '203.0.113.80';
/** Hosts that the server reaches, but clients of the SOCKS5 server must not. */
const inner = { metadata: '169.254.169.254', container: '172.17.0.2', lan: '10.98.0.7' };
const portrait = `
  find /etc -printf '%y %m %U %G %p %l\\n' | sort
  find /etc -type f -exec sha256sum {} + | sort
  nft list table inet landfall-socks 2>&1; ip rule; ip route`;

/** Tests the SOCKS5 server for the devices of a user. */
export function itServesDevices(server: () => StageServer): void {
  /** A device of the user. Also serves the page of the internet and of the inner hosts. */
  let client: Outsider;
  let stranger: Outsider;
  let password: string;
  let before: string;

  const site = { socks: { listen: own, allow: [range] } };
  const through = async (from: Outsider, url: string, login = `landfall:${password}@`) => {
    const proxy = `socks5h://${login}${own}:7891`;
    const call = `curl -sS -m 4 -o /dev/null -w '%{http_code}' --noproxy '' -x ${proxy} ${url}`;
    return await from.run(call);
  };

  beforeAll(async () => {
    const { cloud, host } = server();
    cloud.names.set('web.test', { v4: web });
    cloud.names.set('rebind.test', { v4: inner.lan });
    client = await cloud.outsider();
    stranger = await cloud.outsider();
    for (const address of [web, ...Object.values(inner)]) {
      await client.run(`ip address add ${address}/32 dev eth0`);
      await host.output(`ip route add ${address} via ${client.addresses.v4}`);
    }
    await client.run('setsid -f python3 -m http.server 80 --directory /mnt >/dev/null 2>&1');
    await stranger.run(`ip route add ${own} via ${host.addresses.v4}`);
    await host.output('mkdir -p /etc/landfall');
    await server().stages.give({ site });
  });
  afterAll(async () => {
    // Nothing has confirmed the firewall, so the next stage undoes it.
    await server().stages.run('apply', 'route');
    await server().stages.run('undoRoute');
  });

  it('starts when its address exists, and is a warning until then', async () => {
    const { error, warned } = await server().stages.run('apply', 'route');
    expect(error).toBeUndefined();
    expect(warned).toEqual([expect.stringContaining(`waits for its address ${own}`)]);
    await server().stages.run('undoRoute');
    await server().host.output(`ip address add ${own}/24 dev eth0`);
    await client.run(`ip address add ${device}/24 dev eth0`);
    before = await server().host.output(portrait);
    expect(await server().stages.run('apply', 'route')).toMatchObject({ warned: [] });
    expect((await server().stages.run('check', 'route')).lines).toEqual([]);
    password = await server().host.output('cat /etc/landfall/secrets/SOCKS_PASSWORD');
  });

  it('serves a device with the login, and resolves names on the server', async () => {
    expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
  });

  it.each(['', 'landfall:wrong@', 'other:wrong@'])('rejects the login %j', async (login) => {
    expect(await through(client, 'http://web.test/', login)).toMatchObject({ exitCode: 97 });
  });

  it.each([...Object.values(inner), 'rebind.test'])(
    'does not lead to %s, which the server reaches',
    async (target) => {
      await server().host.output(`curl -sS -m 4 -o /dev/null http://${target}/`);
      expect(await through(client, `http://${target}/`)).toMatchObject({ exitCode: 97 });
    },
  );

  it('does not lead to services of the server', async () => {
    const addresses = ['127.0.0.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'];
    for (const address of [
      ...addresses,
      own,
      server().host.addresses.v4,
      `[${server().host.addresses.v6}]`,
    ]) {
      expect(await through(client, `http://${address}:22/`)).toMatchObject({ exitCode: 97 });
    }
  });

  it('keeps its rules after nftables flushes all tables', async () => {
    await server().host.output('systemctl restart nftables.service');
    expect(await through(client, `http://${inner.lan}/`)).toMatchObject({ exitCode: 97 });
    expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
  });

  it('removes its rules when it stops, and loads them before it starts', async () => {
    await server().host.output(`systemctl stop ${unit}`);
    expect((await server().host.run('nft list table inet landfall-socks')).exitCode).not.toBe(0);
    await server().host.output(`systemctl start ${unit}; nft list table inet landfall-socks`);
  });

  it('runs without privileges, and shows its password to root only', async () => {
    const exposure = await server().host.output(
      `systemd-analyze security --no-pager ${unit} | tail -1`,
    );
    expect(exposure).toMatch(/exposure level for .*: [0-2]\.\d OK/);
    expect(await server().host.output('ps -o user= -C microsocks')).not.toBe('root');
    const shown = `ps axww; systemctl show ${unit}; journalctl -u ${unit}; cat /etc/landfall/*`;
    expect((await server().host.run(shown, { user: 'nobody' })).stdout).not.toContain(password);
    expect(await server().host.output('ps axww')).not.toContain(password);
    const memory = await server().host.output('grep ^Pss: /proc/$(pidof microsocks)/smaps_rollup');
    console.log(`microsocks on ${server().host.distribution}: ${memory}`);
  });

  it('undoes the SOCKS5 server with the route, byte for byte, and keeps its password', async () => {
    expect((await server().stages.run('undoRoute')).error).toBeUndefined();
    expect(await server().host.output(portrait)).toBe(before);
    expect(await server().stages.run('apply', 'route')).not.toHaveProperty('error');
    expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
  });

  it('opens the SOCKS5 server only at its address and only to its clients', async () => {
    expect(await server().stages.run('apply', 'firewall')).not.toHaveProperty('error');
    expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
    expect(await stranger.ports(own, [7891])).toEqual({ 7891: 'filtered' });
    expect(await stranger.ports(server().host.addresses.v4, [7891])).toEqual({ 7891: 'filtered' });
    expect(await client.ports(server().host.addresses.v6, [7891])).toEqual({ 7891: 'filtered' });
    expect(await server().host.output('ufw status')).toContain('7891/tcp');
    expect((await server().stages.run('check', 'firewall')).lines).toEqual([]);
  });
}
