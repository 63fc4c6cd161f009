import { afterAll, beforeAll, expect, it } from 'vitest';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import type { StageServer } from './stage-server.ts';

/** An address that only the proxy serves. */
const outside = '203.0.113.80';
const units = 'landfall-redirect.service landfall-redsocks.service';
const portrait = `
  find /etc -printf '%y %m %U %G %p %l\\n' | sort
  find /etc -type f -exec sha256sum {} + | sort
  nft list ruleset; ip rule; ip route`;

/** Tests the redirection of a user to a SOCKS5 proxy, on a network without direct internet access. */
export function itRedirectsAUser(server: () => StageServer): void {
  let socks: SocksProxy;
  /** /etc with the packages, before the redirection. */
  let before: string;
  let target: string;

  const choose = () => server().host.put('/etc/landfall/redirect.json', '{"users":["alice"]}\n');
  const fetched = (user: string) =>
    server().host.run(`curl -sS --max-time 5 http://${target}/debian/dists/trixie/InRelease`, {
      user,
    });

  beforeAll(async () => {
    await server().host.output('mkdir -p /etc/landfall; useradd alice; useradd bob');
    const address = server().cloud.network.gateway.v4;
    const { port } = new URL(server().cloud.packages);
    target = `${outside}:${port}`;
    socks = await SocksProxy.start({
      login: 'me:p"\\s;',
      names: { [outside]: address, 'mirror.invalid': address },
      address,
    });
    const route = {
      mode: 'socks5',
      url: `socks5h://me:p%22%5Cs%3B@${socks.host}`,
      no_proxy: ['198.51.100.0/24', '2001:db8:1::/48', 'git.corp.example'],
    };
    const mirror = `http://mirror.invalid:${port}`;
    const mirrors = { apt: `${mirror}/debian`, apt_security: `${mirror}/debian-security` };
    await server().stages.give({ site: { route, mirrors } });
    await choose();
    expect(await server().stages.run('apply', 'route')).not.toHaveProperty('error');
    await server().stages.run('undoRoute');
    before = await server().host.output(portrait);
    await choose();
    expect(await server().stages.run('apply', 'route')).not.toHaveProperty('error');
  });
  afterAll(() => socks?.close());

  it('sends the connections of this user to the proxy, once each, and no others', async () => {
    socks.asked.length = 0;
    expect(await fetched('alice')).toMatchObject({ exitCode: 0 });
    expect(socks.asked).toEqual([target]);
    expect((await fetched('bob')).exitCode).not.toBe(0);
    expect(socks.asked).toEqual([target]);
  });

  it('runs redsocks without privileges, and no service of the package', async () => {
    expect(await server().host.output('ps -o user= -C redsocks')).toBe('redsocks');
    expect(await server().host.output("ss -Htln 'sport = :7892' | awk '{print $4}'")).toBe(
      '127.0.0.1:7892',
    );
    expect(await server().host.output("ss -Htln 'sport = :12345'")).toBe('');
  });

  it('rejects IPv6 of this user at once', async () => {
    const call = `curl -sS --max-time 5 'http://[2001:db8::80]/'`;
    expect((await server().host.run(call, { user: 'alice' })).stderr).toContain('Could');
    expect(await server().host.output('nft list table inet landfall-redirect')).toContain(
      'tcp reset',
    );
  });

  it('refuses connections while redsocks does not run', async () => {
    await server().host.output('systemctl stop landfall-redsocks.service');
    socks.asked.length = 0;
    expect((await fetched('alice')).exitCode).toBe(7);
    expect(socks.asked).toEqual([]);
    await server().host.output('systemctl start landfall-redsocks.service');
    expect(await fetched('alice')).toMatchObject({ exitCode: 0 });
  });

  it('keeps its rules after nftables flushes all tables', async () => {
    await server().host.output('systemctl restart nftables.service');
    await server().host.output('nft list table inet landfall-redirect');
  });

  it('enables the redirect of a user at boot, and loads its rules before the network', async () => {
    expect(await server().host.output(`systemctl is-enabled ${units}`)).toBe('enabled\nenabled');
    const order = await server().host.output('systemctl show -p Before landfall-redirect.service');
    expect(order).toContain('network-pre.target');
  });

  it('removes the rules with the unit, and redsocks first', async () => {
    await server().host.output('systemctl stop landfall-redirect.service');
    expect((await server().host.run('nft list table inet landfall-redirect')).exitCode).not.toBe(0);
    expect(await server().host.output('pgrep -c redsocks || true')).toBe('0');
    expect(await server().stages.run('apply', 'route')).not.toHaveProperty('error');
    expect(await fetched('alice')).toMatchObject({ exitCode: 0 });
  });

  it('undoes the redirect of a user with the route, and restores /etc and rules byte for byte', async () => {
    await server().host.output('systemctl stop nftables.service');
    expect((await server().stages.run('undoRoute')).error).toBeUndefined();
    expect(await server().host.output(portrait)).toBe(before);
  });
}
