import { afterAll, beforeAll, expect, it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from './cloud.ts';
import type { Outsider } from './outsider.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution);

// A refusal is only evidence if the same client can also observe success.
given.describe('an outsider', () => {
  let cloud: Cloud;
  let outsider: Outsider;
  let host: FastHost;

  beforeAll(async () => {
    cloud = await Cloud.open(given.dependencies);
    outsider = await cloud.outsider();
    host = await cloud.boot({ distribution, userData: userDataFor(outsider.publicKey) });
    expect(await host.cloudInit()).toBe('done');
  });
  afterAll(() => cloud.close());

  it('distinguishes open from closed ports, over IPv4 and IPv6', async () => {
    for (const address of [host.addresses.v4, host.addresses.v6]) {
      expect(await outsider.ports(address, [22, 80])).toEqual({ 22: 'open', 80: 'refused' });
    }
  });

  it('detects filtered ports, also after the filter was removed', async () => {
    const rule = 'add rule inet wall in tcp dport { 22, 80 } drop';
    const chain = 'add chain inet wall in { type filter hook input priority 0; }';
    await host.output(`nft "add table inet wall; ${chain}; ${rule}"`);
    for (const address of [host.addresses.v4, host.addresses.v6]) {
      const seen = await outsider.ports(address, [22, 80]);
      expect(seen).toEqual({ 22: 'filtered', 80: 'filtered' });
    }
    await host.output('nft delete table inet wall');
    expect(await outsider.ports(host.addresses.v6, [22])).toEqual({ 22: 'open' });
  });

  it("logs in with the administrator's key, and is rejected without a key", async () => {
    const login = { user: 'administrator', host: host.addresses.v4 };
    expect(await outsider.ssh({ ...login, command: 'id -un' })).toMatchObject({
      exitCode: 0,
      stdout: 'administrator\n',
    });
    expect(await outsider.ssh({ ...login, with: 'none' })).toMatchObject({ exitCode: 255 });
  });

  it('logs in with a password where allowed, and is rejected with a wrong one', async () => {
    const login = { user: 'administrator', host: host.addresses.v6 };
    const right = await outsider.ssh({ ...login, with: { password: 'open sesame' } });
    expect(right).toMatchObject({ exitCode: 0 });
    const wrong = await outsider.ssh({ ...login, with: { password: 'sesame' } });
    expect(wrong).toMatchObject({ exitCode: 255 });
  });

  it('fetches pages, and reports an unreachable server', async () => {
    await host.output('systemd-run --unit=pages python3 -m http.server --bind :: 80');
    await host.waitFor('curl -so /dev/null http://127.0.0.1/');
    const page = await outsider.fetch(`http://[${host.addresses.v6}]/etc/hostname`);
    expect(page).toEqual({ status: 200, body: `${host.name}\n` });
    expect(await outsider.fetch(`http://${host.addresses.v4}:81/`)).toMatchObject({ status: 0 });
  });

  it('reaches an address behind the server with a route to it', async () => {
    await host.output('ip address add 172.31.9.1/32 dev lo');
    expect(await outsider.ports('172.31.9.1', [80])).not.toEqual({ 80: 'open' });
    await outsider.routeThrough('172.31.9.0/24', host.addresses.v4);
    expect(await outsider.ports('172.31.9.1', [80])).toEqual({ 80: 'open' });
  });

  it('uses the same name server for an outsider and for the host', async () => {
    cloud.names.set('chat.example.com', host.addresses);
    const page = await outsider.fetch('http://chat.example.com/etc/hostname');
    expect(page.body).toBe(`${host.name}\n`);
    expect(await host.output('getent ahostsv4 deb.debian.org')).toContain(cloud.network.gateway.v4);
    expect(await host.run('getent ahosts elsewhere.example')).toMatchObject({ exitCode: 2 });
  });

  it('finds the server at the same address after a restart, with its disk and an empty /run', async () => {
    await host.output('touch /root/kept /run/gone');
    await host.reboot();
    await host.waitFor('systemctl is-system-running');
    expect(await host.output('ls /root/kept /run/gone 2>/dev/null; true')).toBe('/root/kept');
    expect(await outsider.ports(host.addresses.v4, [22])).toEqual({ 22: 'open' });
    await host.output('touch /root/crashed && sync');
    await host.crash();
    await host.waitFor('test -e /root/crashed && systemctl is-active ssh');
    expect(await outsider.ports(host.addresses.v6, [22])).toEqual({ 22: 'open' });
  });
});

function userDataFor(publicKey: string): string {
  return `#cloud-config
locale: C.UTF-8
ssh_pwauth: true
users:
- name: administrator
  lock_passwd: false
  plain_text_passwd: open sesame
  ssh_authorized_keys: ['${publicKey}']
`;
}
