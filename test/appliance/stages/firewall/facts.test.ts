import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatOpening } from '#contract/site/opening.ts';
import { siteSchema } from '#contract/site/site.ts';
import { isPrivate } from '../../../../appliance/server/host/private-ranges.ts';
import {
  type FirewallSettings,
  firewallFacts,
  formatSettings,
  openingsOf,
  privateDestinations,
  readSettings,
} from '../../../../appliance/stages/firewall/facts.ts';
import { relayLink } from '../../../../appliance/stages/firewall/public.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { sshAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

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

describe('the openings of an engine node', () => {
  const site = contextFor(TemporaryHost.with({}), {
    site: {
      role: 'engine-node',
      engine_node: {
        client_ca: new CertificateAuthority('first').cert,
        clients: ['203.0.113.20', '203.0.113.20/32', '2001:db8::20'],
      },
      firewall: { allow: ['8443/tcp'] },
    },
  }).site;
  const clients = ['11443/tcp from 2001:db8::20', '11443/tcp from 203.0.113.20'];
  const open = (settings: Partial<FirewallSettings>) =>
    openingsOf(site, { allow: [], deny: [], ...settings }).map(formatOpening);

  it('opens its port for each client once, the ports of the site, and neither 80 nor 443', () => {
    expect(open({}).toSorted()).toEqual([...clients, '8443/tcp']);
  });

  it('closes its port for all clients if the administrator denied it', () => {
    expect(open({ deny: ['11443/tcp'] })).toEqual(['8443/tcp']);
  });

  it('opens 80 and 443 if the administrator allowed them', () => {
    expect(open({ allow: ['80/tcp'] }).toSorted()).toEqual([...clients, '80/tcp', '8443/tcp']);
  });

  it('collects no IPv6 clients on a server without IPv6', async () => {
    const { openings } = await firewallFacts(TemporaryHost.with({}, sshAnswers), site);
    expect(openings.map(formatOpening)).toEqual(['8443/tcp', '11443/tcp from 203.0.113.20']);
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

  it('include a machine of the administrator for the relay only', async () => {
    const plain = 'i-understand';
    const site = {
      route: { mode: 'http-proxy', url: 'http://10.0.0.5:8000' },
      providers: {
        one: { base_url: 'http://10.0.0.5:8000/v1', plain },
        two: { base_url: 'https://10.0.0.6/v1', api: 'anthropic', plain },
        metadata: { base_url: 'http://169.254.169.254/v1', plain },
      },
    };
    expect(await privateDestinations(host, contextFor(host, { site }).site)).toEqual([
      { address: '10.0.0.5', port: 8000 },
      { address: '10.0.0.5', port: 8000, link: 'br-relay' },
      { address: '10.0.0.6', port: 443, link: 'br-relay' },
    ]);
  });

  it('include a node with Ollama for the balancer only', async () => {
    const nodes = [
      { name: 'one', url: 'http://10.0.0.9:11434', plain: 'i-understand' },
      { name: 'two', url: 'https://203.0.113.9' },
    ];
    expect(
      await privateDestinations(host, contextFor(host, { site: { engines: { nodes } } }).site),
    ).toEqual([{ address: '10.0.0.9', port: 11_434, link: 'br-balancer' }]);
  });

  it('name the bridge of the override file', () => {
    const file = new URL('../../../../compose/relay/own-machines.yaml', import.meta.url);
    const { egress } = parse(readFileSync(file, 'utf8')).networks;
    expect(egress.driver_opts['com.docker.network.bridge.name']).toBe(relayLink);
  });

  it('include a provider with an IPv6 address', async () => {
    const providers = { own: { base_url: 'http://[fd00:7::2]:3128/v1' } };
    expect(await endpointsOf({ providers })).toEqual(['fd00:7::2 3128']);
  });

  // Regression: the ACME client could not reach a private authority.
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
