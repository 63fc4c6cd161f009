import { describe, expect, it } from 'vitest';
import { urlOf } from '#contract/site/endpoints.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import { gatewayAddress, hasPublicHttp } from '#contract/site/network/public-ports.ts';
import { formatOpening } from '#contract/site/opening.ts';
import { checkSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';

const keys = [
  'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=',
  'TrMvSoP4jYQlY6RIzBgbssQqY3vxI2Pi+y71lOWWXX0=',
];
const min = {
  release: ['https://example.org/r/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'], email: 'me@example.com' },
};
const input = (access: object | undefined, site: object = {}) => ({ ...min, ...site, access });

function siteOf(access: object = {}, site: object = {}): Site {
  return siteSchema.parse(input({ mode: 'wireguard', ...access }, site));
}

function problemsOf(access: object = {}, site: object = {}) {
  return checkSite(siteOf(access, site)).map(({ at, message, hint }) => ({
    at: at.join('.'),
    message,
    hint,
  }));
}

const peer = (name: string, key = 0, address = '10.86.0.2') => {
  return { name, public_key: keys[key], address };
};

describe('access', () => {
  it('opens the UDP port of WireGuard in place of the ports of the gateway', () => {
    const opened = (site: Site) => openingsOfSite(site).map(formatOpening);
    expect(opened(siteOf())).toEqual(['51820/udp']);
    expect(opened(siteOf({ port: 443 }, { hosts: { port: 8443 } }))).toEqual(['443/udp']);
    expect(opened(siteSchema.parse(min))).toEqual(['80/tcp', '443/tcp']);
  });

  it('moves the gateway and its URL into the tunnel', () => {
    expect(gatewayAddress(siteOf())).toBe('10.86.0.1');
    expect(urlOf(siteOf(), 'ui', '203.0.113.5')).toBe('https://10.86.0.1');
    const other = siteOf({ network: '192.168.77.0/24' }, { hosts: { port: 8443 } });
    expect(urlOf(other, 'ui', '203.0.113.5')).toBe('https://192.168.77.1:8443');
    expect(gatewayAddress(siteSchema.parse(min))).toBeUndefined();
  });

  it('closes port 80 to the page of the first boot', () => {
    expect(hasPublicHttp(siteOf())).toBe(false);
    expect(hasPublicHttp(siteSchema.parse(min))).toBe(true);
  });

  it.each([
    ['a public network', { network: '203.0.113.0/24' }],
    ['a network of another size', { network: '10.86.0.0/16' }],
    ['an address in place of a network', { network: '10.86.0.1/24' }],
    ['no network', { network: '999.0.0.0/24' }],
    ['a network of IPv6', { network: 'fd00::/64' }],
    ['a key that is too short', { peers: [{ ...peer('a'), public_key: 'AAAA' }] }],
    ['a name with a line break', { peers: [peer('a\nb')] }],
    ['another mode', { mode: 'tailscale' }],
    ['an endpoint with a port', { address: 'home.example.com:51820' }],
  ])('rejects %s', (_what, access) => {
    expect(siteSchema.safeParse(input({ mode: 'wireguard', ...access })).success).toBe(false);
  });

  it('rejects a key twice, and names both devices', () => {
    const peers = [peer('laptop'), peer('phone', 0, '10.86.0.3')];
    expect(problemsOf({ peers })).toEqual([
      {
        at: 'access.peers.1.public_key',
        message: `access.peers has the public_key ${keys[0]} twice (laptop, phone)`,
        hint: 'Give each device its own public_key.',
      },
    ]);
  });

  it('reports all problems of devices at once', () => {
    const peers = [peer('laptop'), peer('laptop', 1), peer('tv', 1, '10.86.0.128')];
    expect(problemsOf({ peers }).map(({ at }) => at)).toEqual([
      'access.peers.2.address',
      'access.peers.1.name',
      'access.peers.2.public_key',
      'access.peers.1.address',
    ]);
  });

  it.each(['10.86.0.1', '10.86.0.0', '10.86.0.128', '10.86.1.2', '10.86.0.255'])(
    'rejects the address %s of a device of the site',
    (address) => {
      const [problem] = problemsOf({ peers: [peer('tv', 0, address)] });
      expect(problem?.hint).toContain('Use one from 10.86.0.2 to 10.86.0.127');
    },
  );

  it.each(['acme', 'acme-staging', 'acme-ip'])(
    'rejects tls.mode %s: its authority needs port 80',
    (mode) => {
      const hosts = mode === 'acme-ip' ? {} : { ui: 'chat.example.com' };
      const [problem, ...others] = problemsOf({}, { tls: { mode, accept_terms: true }, hosts });
      expect(problem).toMatchObject({ at: 'tls.mode' });
      expect(others).toEqual([]);
    },
  );

  it('accepts an authority that validates by DNS', () => {
    const tls = { mode: 'acme', accept_terms: true, challenge: 'dns', dns: { provider: 'desec' } };
    expect(problemsOf({}, { tls, hosts: { ui: 'chat.example.com' } })).toEqual([]);
  });

  it.each(['internal', 'custom', 'off'])('accepts tls.mode %s', (mode) => {
    expect(problemsOf({}, { tls: { mode } })).toEqual([]);
  });

  it.each([
    [53, 'DNS already uses'],
    [68, 'DHCP already uses'],
    [123, 'NTP already uses'],
    [4789, 'Docker already uses'],
    [51820, 'engines.swarm already uses'],
  ])('rejects the port %i, which %s', (port, why) => {
    expect(problemsOf({ port }, { engines: { swarm: {} } })).toEqual([
      {
        at: 'access.port',
        message: `access.port is ${port}, which ${why}`,
        hint: expect.stringMatching(/^Use another port, such as \d+\.$/),
      },
    ]);
  });

  it('rejects an engine node, which has no pages', () => {
    expect(problemsOf({}, { role: 'engine-node' })).toContainEqual(
      expect.objectContaining({ at: 'access' }),
    );
  });
});
