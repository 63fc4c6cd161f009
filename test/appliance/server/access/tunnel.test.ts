import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { accessConditions } from '../../../../appliance/server/access/conditions.ts';
import {
  allowedDevices,
  freeNumber,
  readKey,
  writeDevices,
} from '../../../../appliance/server/access/devices.ts';
import {
  missingOfTunnel,
  prepareTunnel,
  removeTunnel,
  renderDevice,
} from '../../../../appliance/server/access/tunnel.ts';
import { makeKey, publicKeyOf } from '../../../../appliance/server/host/wireguard/key.ts';
import type { Answers } from '../../temporary-host.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const min = {
  release: ['https://example.org/r/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
};
const siteOf = (access: object = {}) =>
  siteSchema.parse({ ...min, access: { mode: 'wireguard', ...access } });
const [laptop, phone] = [makeKey(), makeKey()].map(publicKeyOf) as [string, string];
const ofSite = { name: 'laptop', public_key: laptop, address: '10.86.0.2' };
const added = { name: 'phone', number: 128, publicKey: phone, added: '2026-11-30T00:00:00.000Z' };
const file = 'etc/wireguard/wg-access.conf';

function server(answers: Answers = {}): TemporaryHost {
  return TemporaryHost.with(
    {},
    {
      'dpkg-query': 'wireguard-tools installed\n',
      'systemctl is-active': 0,
      'systemctl is-enabled': 0,
      systemctl: 0,
      ...answers,
    },
  );
}
const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');

describe('the tunnel', () => {
  it('lists the devices of the site and of the command, each with its own address', async () => {
    const host = server();
    await writeDevices(host, [added]);
    await prepareTunnel(host, siteOf({ peers: [ofSite], port: 4500 }));
    const text = read(host, file);
    expect(text).toContain('Address = 10.86.0.1/24\n');
    expect(text).toContain('ListenPort = 4500\n');
    expect(text).toContain(`# laptop\n[Peer]\nPublicKey = ${laptop}\nAllowedIPs = 10.86.0.2/32\n`);
    expect(text).toContain(`# phone\n[Peer]\nPublicKey = ${phone}\nAllowedIPs = 10.86.0.128/32\n`);
    expect(text).toContain(`PrivateKey = ${await readKey(host)}\n`);
    expect(statSync(host.path(file)).mode & 0o777).toBe(0o600);
    expect(read(host, 'etc/systemd/system/docker.service.d/30-landfall-access.conf')).toContain(
      'After=wg-quick@wg-access.service',
    );
  });

  it('keeps its key and its file when it is prepared again', async () => {
    const host = server();
    const site = siteOf();
    expect(await missingOfTunnel(host, site)).toEqual(['set up WireGuard for the devices']);
    expect(await readKey(host)).toBeUndefined();
    await prepareTunnel(host, site);
    const before = read(host, file);
    expect(await missingOfTunnel(host, site)).toEqual([]);
    await prepareTunnel(host, site);
    expect(read(host, file)).toBe(before);
  });

  it('keeps the connections of other devices when one is added', async () => {
    const host = server();
    await prepareTunnel(host, siteOf());
    await writeDevices(host, [added]);
    await prepareTunnel(host, siteOf());
    expect(host.ran.filter((line) => line.includes(' restart '))).toEqual([]);
    expect(host.ran.at(-1)).toBe('systemctl reload-or-restart wg-quick@wg-access.service');
  });

  it('restarts with another network, because a reload keeps the address', async () => {
    const host = server();
    await prepareTunnel(host, siteOf());
    await prepareTunnel(host, siteOf({ network: '192.168.77.0/24' }));
    expect(host.ran.at(-1)).toBe('systemctl restart wg-quick@wg-access.service');
  });

  it('leaves nothing but its keys when the site has none, so that its devices work again', async () => {
    const host = server();
    await writeDevices(host, [added]);
    await prepareTunnel(host, siteOf());
    const key = await readKey(host);
    const without = siteSchema.parse(min);
    expect(await missingOfTunnel(host, without)).toEqual(['remove WireGuard of the devices']);
    await removeTunnel(host, without);
    expect(existsSync(host.path(file))).toBe(false);
    expect(host.ran).toContain('systemctl disable --now --quiet wg-quick@wg-access.service');
    expect(await missingOfTunnel(host, without)).toEqual([]);
    expect(await readKey(host)).toBe(key);
  });

  it('runs nothing on a server that never had one', async () => {
    const host = TemporaryHost.with({});
    const without = siteSchema.parse(min);
    expect(await missingOfTunnel(host, without)).toEqual([]);
    await prepareTunnel(host, without);
    await removeTunnel(host, without);
    expect(host.ran).toEqual([]);
  });
});

describe('the devices of a tunnel', () => {
  it('prefer the site for a name or a key that both have', async () => {
    const host = server();
    await writeDevices(host, [added, { ...added, name: 'tv', number: 129, publicKey: laptop }]);
    const { access } = siteOf({
      peers: [
        ofSite,
        { ...ofSite, name: 'phone', address: '10.86.0.3', public_key: publicKeyOf(makeKey()) },
      ],
    });
    const names = access && (await allowedDevices(host, access)).map(({ name }) => name);
    expect(names).toEqual(['laptop', 'phone']);
  });

  it('get the first free number, and an error after the last', () => {
    expect(freeNumber([])).toBe(128);
    expect(freeNumber([added, { ...added, number: 130 }])).toBe(129);
    const all = Array.from({ length: 127 }, (_, index) => ({ ...added, number: 128 + index }));
    expect(() => freeNumber(all)).toThrow('no free address');
  });

  it('get a configuration with a route to the gateway alone', () => {
    const { access } = siteOf();
    const [own, other] = [makeKey(), makeKey()];
    const text =
      access &&
      renderDevice(
        access,
        { key: own, address: '10.86.0.128' },
        { key: other, host: '2001:db8::5' },
      );
    expect(text?.split('\n')).toEqual([
      '[Interface]',
      `PrivateKey = ${own}`,
      'Address = 10.86.0.128/32',
      'MTU = 1280',
      '',
      '[Peer]',
      `PublicKey = ${publicKeyOf(other)}`,
      'AllowedIPs = 10.86.0.1/32',
      'Endpoint = [2001:db8::5]:51820',
      'PersistentKeepalive = 25',
      '',
    ]);
    expect(text).not.toContain(other);
  });
});

describe('the conditions of a tunnel', () => {
  it('say that WireGuard is down, and that no device is added', async () => {
    const host = server({ 'systemctl is-active': 3 });
    const found = await accessConditions(host, siteOf());
    expect(found.map(({ severity, what }) => [severity, what.en])).toEqual([
      ['broken', 'WireGuard failed: no device can reach the chat'],
      ['note', 'no device can reach the chat yet'],
    ]);
  });

  it('say nothing of a tunnel with a device, and of a server without one', async () => {
    expect(await accessConditions(server(), siteOf({ peers: [ofSite] }))).toEqual([]);
    expect(await accessConditions(TemporaryHost.with({}), siteSchema.parse(min))).toEqual([]);
  });
});
