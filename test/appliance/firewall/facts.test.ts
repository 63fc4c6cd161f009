import { describe, expect, it } from 'vitest';
import { formatOpening } from '#contract/site/opening.ts';
import { siteSchema } from '#contract/site/site.ts';
import {
  type FirewallSettings,
  formatSettings,
  openingsOf,
  privateDestinations,
  readSettings,
} from '../../../appliance/firewall/facts.ts';
import { isPrivate } from '../../../appliance/host/private-ranges.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const file = 'etc/landfall/firewall.json';
const siteWith = (...allow: string[]) =>
  siteSchema.parse({
    release: ['https://example.com/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA'] },
    firewall: { allow },
  });

describe('the firewall settings of the administrator', () => {
  it('returns empty firewall settings without a file', async () => {
    expect(await readSettings(TemporaryHost.with({}))).toEqual({ allow: [], deny: [] });
  });

  it('reads firewall settings unchanged after writing them', async () => {
    const settings = { allow: ['8443/tcp'], deny: ['80/tcp'] };
    const host = TemporaryHost.with({ [file]: formatSettings(settings) });
    expect(await readSettings(host)).toEqual(settings);
  });

  it.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['an unknown key', '{"open": ["80/tcp"]}'],
    ['a port without its protocol', '{"allow": ["8443"]}'],
    ['an nft statement', '{"allow": ["80/tcp accept; flush ruleset"]}'],
  ])('rejects firewall settings that are %s', async (_what, text) => {
    await expect(readSettings(TemporaryHost.with({ [file]: text }))).rejects.toMatchObject({
      code: 'FIREWALL_INVALID',
      hint: expect.stringContaining('was not changed'),
    });
  });
});

describe('open ports', () => {
  const open = (settings: Partial<FirewallSettings>, ...ofSite: string[]) =>
    openingsOf(siteWith(...ofSite), { allow: [], deny: [], ...settings }).map(formatOpening);

  it('opens ports 80 and 443 by default', () => {
    expect(open({})).toEqual(['80/tcp', '443/tcp']);
  });

  it('include those of the site and the administrator, once each and sorted', () => {
    expect(open({ allow: ['6000:6010/udp', '8443/tcp'] }, '8443/tcp', '53/udp')).toEqual([
      ...['53/udp', '80/tcp', '443/tcp', '6000-6010/udp', '8443/tcp'],
    ]);
  });

  it('exclude those that the administrator closed', () => {
    expect(open({ deny: ['80/tcp', '8443/tcp'] }, '8443/tcp')).toEqual(['443/tcp']);
  });
});

const host = TemporaryHost.with({});
const endpointsOf = async (site: object) => {
  const endpoints = await privateDestinations(host, contextFor(host, { site: { ...site } }).site);
  return endpoints.map(({ address, port }) => `${address} ${port}`);
};

describe('private endpoints that containers may reach', () => {
  it('returns no private endpoints if the site has none', async () => {
    expect(await endpointsOf({})).toEqual([]);
  });

  it.each([
    ['an HTTP proxy', { mode: 'http-proxy', url: 'http://10.0.0.2:7890' }, '10.0.0.2 7890'],
    ['a SOCKS proxy', { mode: 'socks5', url: 'socks5h://192.168.1.5' }, '192.168.1.5 1080'],
    ['a proxy with a password', { mode: 'http-proxy', url: 'http://u:p@10.0.0.2:1' }, '10.0.0.2 1'],
  ])('include %s', async (_what, route, endpoint) => {
    expect(await endpointsOf({ route })).toEqual([endpoint]);
  });

  it('include the proxy client of this server', async () => {
    expect(await endpointsOf({ route: { mode: 'client' } })).toEqual(['198.19.254.1 7890']);
  });

  it('include the providers and variables of the site, once each', async () => {
    const site = {
      providers: { own: { base_url: 'http://172.20.1.1:8000/v1' } },
      variables: { HTTP_PROXY: 'http://172.20.1.1:8000', PROVIDER_BASE_URL: 'https://10.9.9.9/v1' },
    };
    expect(await endpointsOf(site)).toEqual(['10.9.9.9 443', '172.20.1.1 8000']);
  });

  it('include a provider with an IPv6 address', async () => {
    const providers = { own: { base_url: 'http://[fd00:7::2]:3128/v1' } };
    expect(await endpointsOf({ providers })).toEqual(['fd00:7::2 3128']);
  });

  // Regression: certbot could not reach a private authority.
  it('include the ACME authority of the site', async () => {
    const server = { url: 'https://10.4.4.4:14000/dir' };
    const tls = { mode: 'acme', accept_terms: true, server };
    expect(await endpointsOf({ tls })).toEqual(['10.4.4.4 14000']);
  });

  it('exclude public addresses, which need no exception', async () => {
    expect(await endpointsOf({ route: { mode: 'http-proxy', url: 'http://8.8.8.8:80' } })).toEqual(
      [],
    );
  });

  it('never include metadata services, even if the site names them', async () => {
    for (const address of [
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      '[fd00:ec2::254]',
    ]) {
      const providers = { own: { base_url: `http://${address}:80/v1` } };
      expect(await endpointsOf({ providers })).toEqual([]);
    }
  });

  it('exclude the loopback address of the server', async () => {
    const route = { mode: 'http-proxy', url: 'http://127.0.0.1:7890' };
    expect(await endpointsOf({ route })).toEqual([]);
  });

  it('returns no private endpoints for an unresolvable name', async () => {
    const route = { mode: 'http-proxy', url: 'http://proxy.invalid:7890' };
    expect(await endpointsOf({ route })).toEqual([]);
  });
});

describe('an address', () => {
  it.each([
    ...['10.0.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '240.0.0.1', 'fd12::1'],
    ...['fec0::1', '64:ff9b::a00:1', '64:ff9b::8.8.8.8', '64:ff9b:1:ffff::1', '2002:a00:1::1'],
  ])('%s is private', (address) => expect(isPrivate(address)).toBe(true));

  it.each([
    ...['8.8.8.8', '172.32.0.1', '198.18.0.1', '2001:db8::1', '::1', '127.0.0.1'],
    ...['169.254.169.254', 'fe80::a9fe:a9fe', 'fd00:ec2::254', 'example.com', ''],
    // Metadata addresses in NAT64 and 6to4 form.
    ...['64:ff9b::a9fe:a9fe', '64:ff9b::169.254.169.254', '64:ff9b::6464:64c8'],
    ...['2002:a9fe:a9fe::1', '2002:a83f:8110::', '::ffff:169.254.169.254'],
  ])('%s is not private', (address) => expect(isPrivate(address)).toBe(false));
});
