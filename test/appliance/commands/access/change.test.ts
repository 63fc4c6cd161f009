import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import {
  addDevice,
  makeDevice,
  removeDevice,
} from '../../../../appliance/commands/access/change.ts';
import { describeDevices, listed } from '../../../../appliance/commands/access/list.ts';
import { readDevices, readKey } from '../../../../appliance/server/access/devices.ts';
import { publicKeyOf } from '../../../../appliance/server/host/wireguard/key.ts';
import { TemporaryHost } from '../../temporary-host.ts';

let printed: string[] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => printed.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

const min = {
  release: ['https://example.org/r/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
};
const laptop = {
  ...{ name: 'laptop', address: '10.86.0.2' },
  public_key: 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=',
};

function serverWith(access: object | undefined = {}) {
  const host = TemporaryHost.with(
    {},
    {
      'dpkg-query': 'wireguard-tools installed\n',
      'ip -json address': JSON.stringify([
        { ifname: 'eth0', addr_info: [{ family: 'inet', local: '203.0.113.5' }] },
        { ifname: 'wg-access', addr_info: [{ family: 'inet', local: '10.86.0.1' }] },
      ]),
      systemctl: 0,
    },
  );
  const site = siteSchema.parse({ ...min, access: access && { mode: 'wireguard', ...access } });
  return { host, site };
}

/** Returns the text of all files of a server. */
function allFiles(host: TemporaryHost): string {
  const root = host.path('');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => join(root, path))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

describe('landfall access add', () => {
  it('prints a configuration whose private key is in no file and no command of the server', async () => {
    const context = serverWith();
    const { configuration, address } = await makeDevice(context, 'phone');
    const key = /^PrivateKey = (.*)$/m.exec(configuration)?.[1] ?? '';
    const [device] = await readDevices(context.host);
    expect(device).toMatchObject({ name: 'phone', number: 128, publicKey: publicKeyOf(key) });
    expect(address).toBe('10.86.0.128');
    expect(configuration).toContain('Endpoint = 203.0.113.5:51820\n');
    const own = (await readKey(context.host)) ?? '';
    expect(configuration).toContain(`PublicKey = ${publicKeyOf(own)}\n`);
    expect(allFiles(context.host)).not.toContain(key);
    expect(context.host.ran.join('\n')).not.toContain(key);
    // Nor is that of the server in the configuration.
    expect(configuration).not.toContain(own);
  });

  it('lets WireGuard accept the device at once', async () => {
    const context = serverWith();
    const { configuration } = await makeDevice(context, 'phone');
    const key = /^PrivateKey = (.*)$/m.exec(configuration)?.[1] ?? '';
    const text = readFileSync(context.host.path('etc/wireguard/wg-access.conf'), 'utf8');
    expect(text).toContain(`PublicKey = ${publicKeyOf(key)}\nAllowedIPs = 10.86.0.128/32\n`);
  });

  it('uses the address of the site, and gives each device its own', async () => {
    const context = serverWith({ address: 'home.example.com', port: 4500 });
    const [one, other] = [await makeDevice(context, 'phone'), await makeDevice(context, 'tv')];
    expect(one.configuration).toContain('Endpoint = home.example.com:4500\n');
    expect([one.address, other.address]).toEqual(['10.86.0.128', '10.86.0.129']);
  });

  it.each([
    ['Phone', 'short and in lower case'],
    ['a b', 'short and in lower case'],
    ['', 'short and in lower case'],
    ['laptop', 'there is already a device laptop'],
    ['phone', 'there is already a device phone'],
  ])('rejects the name "%s"', async (name, why) => {
    const context = serverWith({ peers: [laptop] });
    await makeDevice(context, 'phone');
    await expect(makeDevice(context, name)).rejects.toThrow(why);
    expect(await readDevices(context.host)).toHaveLength(1);
  });

  it('names the command that sets up a tunnel on a site without one', async () => {
    const context = serverWith(undefined);
    const { site } = { site: siteSchema.parse(min) };
    await expect(makeDevice({ ...context, site }, 'phone')).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('sudo landfall site set access.mode wireguard'),
    });
  });

  it('prints no QR code into a file', async () => {
    await addDevice(serverWith(), 'phone', {});
    expect(printed.join('\n')).toMatch(/\[Interface\]\nPrivateKey = /);
    expect(printed.join('\n')).not.toMatch(/[▀▄█]/);
  });

  it('prints one object with --json', async () => {
    await addDevice(serverWith(), 'phone', { json: true });
    expect(JSON.parse(printed.join('\n'))).toMatchObject({ name: 'phone', address: '10.86.0.128' });
  });
});

describe('landfall access remove', () => {
  it('ends the access of a device, and frees its address', async () => {
    const context = serverWith();
    await makeDevice(context, 'phone');
    await removeDevice(context, 'phone', { yes: true });
    const text = readFileSync(context.host.path('etc/wireguard/wg-access.conf'), 'utf8');
    expect(text).not.toContain('[Peer]');
    expect((await makeDevice(context, 'tv')).address).toBe('10.86.0.128');
  });

  it('rejects a device of the site, and an unknown one', async () => {
    const context = serverWith({ peers: [laptop] });
    await expect(removeDevice(context, 'laptop', { yes: true })).rejects.toThrow('the site has');
    await expect(removeDevice(context, 'tv', { yes: true })).rejects.toThrow(
      'there is no device tv',
    );
  });
});

describe('landfall access list', () => {
  const devices = [
    { name: 'laptop', address: '10.86.0.2', publicKey: 'a', source: 'site' as const },
    { name: 'phone', address: '10.86.0.128', publicKey: 'b', source: 'command' as const },
  ];

  it('shows when each device was connected', () => {
    const now = 1_000_000_000_000;
    const seen = new Map([
      ['a', now / 1000 - 120],
      ['b', 0],
    ]);
    expect(describeDevices(listed(devices, seen, now)).split('\n')).toEqual([
      expect.stringMatching(
        /^laptop {2,}10\.86\.0\.2 {2,}of the site {2,}connected 2 min 0 s ago$/,
      ),
      expect.stringMatching(/^phone {2,}10\.86\.0\.128 {2,}added here {2,}never connected$/),
    ]);
  });

  it('names the next command without devices', () => {
    expect(describeDevices([])).toContain('sudo landfall access add phone');
  });
});
