import { describe, expect, it } from 'vitest';
import {
  isPublic,
  publicAddress,
  serverAddresses,
} from '../../../../../appliance/server/host/outside/addresses.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const links = [
  {
    ifname: 'lo',
    addr_info: [{}, { family: 'inet', local: '198.19.254.1' }],
  },
  {
    ifname: 'eth0',
    addr_info: [
      { family: 'inet', local: '203.0.113.7' },
      { family: 'inet6', local: '2001:db8::7' },
      { family: 'inet6', local: '2001:db8::8', temporary: true },
    ],
  },
  { ifname: 'docker0', addr_info: [{ family: 'inet', local: '172.17.0.1' }] },
];

it('returns the addresses of the server, without those of Docker and of the proxy client', async () => {
  const host = TemporaryHost.with({}, { 'ip -json address': JSON.stringify(links) });
  expect(await serverAddresses(host)).toEqual({ v4: ['203.0.113.7'], v6: ['2001:db8::7'] });
});

describe('isPublic', () => {
  it.each([
    ['203.0.114.5', true],
    ['8.8.8.8', true],
    ['172.15.0.1', true],
    ['172.32.0.1', true],
    ['100.63.0.1', true],
    ['2a01:4f8::1', true],
    ['10.0.0.4', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['100.64.0.1', false],
    ['169.254.169.254', false],
    ['127.0.0.1', false],
    ['255.255.255.255', false],
    ['fd00:ec2::254', false],
    ['fe80::1', false],
    ['::1', false],
    ['not an address', false],
    ['', false],
  ])('%s: %s', (address, answer) => {
    expect(isPublic(address)).toBe(answer);
  });
});

describe('publicAddress', () => {
  const at = (facts: string | undefined, v4: string[], v6: string[] = []) =>
    publicAddress(
      TemporaryHost.with(facts === undefined ? {} : { 'run/cloud-init/instance-data.json': facts }),
      { v4, v6 },
    );

  it('returns a public address of the server', async () => {
    expect(await at(undefined, ['10.0.0.4', '8.8.8.8'])).toBe('8.8.8.8');
  });

  const ipv4 = { ipAddress: [{ privateIpAddress: '10.0.0.4', publicIpAddress: '8.8.8.8' }] };
  it.each([
    ['of Amazon and Hetzner', { 'public-ipv4': '8.8.8.8' }],
    ['of other providers', { public_ipv4: '8.8.8.8' }],
    ['of OpenNebula', { PUBLIC_IP: '8.8.8.8' }],
    ['of Azure', { imds: { network: { interface: [{ ipv4 }] } } }],
    ['of Alibaba', { 'private-ipv4': '10.0.0.4', eipv4: '8.8.8.8' }],
    ['of Volcano', { local_ipv4: '10.0.0.4', eip_address: '8.8.8.8' }],
    [
      'of Scaleway',
      { private_ip: '10.0.0.4', public_ips: [{ address: '8.8.8.8', gateway: '62.210.0.1' }] },
    ],
  ])('reads the metadata %s', async (_case, metadata) => {
    expect(await at(JSON.stringify({ ds: { meta_data: metadata } }), ['10.0.0.4'])).toBe('8.8.8.8');
  });

  it.each([
    ['a missing file', undefined],
    ['a damaged file', '{"ds": {'],
    ['a private address under a public key', '{"public-ipv4": "10.0.0.9"}'],
    ['a value that is not an address', '{"public-ipv4": "$(reboot)"}'],
    ['an address of something else', '{"gateway": {"address": "8.8.8.8"}}'],
    ['null', 'null'],
    ['excessive nesting', `${'{"a":'.repeat(500)}{"public-ipv4":"8.8.8.8"}${'}'.repeat(500)}`],
  ])('returns undefined for %s', async (_case, facts) => {
    expect(await at(facts, ['10.0.0.4'])).toBeUndefined();
  });

  it('returns a public IPv6 address if there is no other', async () => {
    expect(await at(undefined, ['10.0.0.4'], ['fd00::1', '2a01:4f8::1'])).toBe('2a01:4f8::1');
  });
});
