import { describe, expect, it } from 'vitest';
import { leadsOutOverIPv6 } from '../../../../../appliance/server/host/outside/probe.ts';
import { probeTargetsOf } from '../../../../../appliance/server/host/sshd/ssh-from-outside.ts';

const at = (...addresses: string[]) =>
  probeTargetsOf(addresses.map((address) => ({ address, port: 22 }))).map(
    ({ family, standIn }) => `IPv${family}${standIn ? ', by a stand-in' : ''}`,
  );

describe('probeTargetsOf', () => {
  it.each([
    ['AddressFamily any', ['0.0.0.0', '::'], ['IPv4', 'IPv6']],
    ['AddressFamily inet', ['0.0.0.0'], ['IPv4']],
    ['AddressFamily inet6', ['::'], ['IPv6']],
    ['one socket for both versions', ['*'], ['IPv4', 'IPv6']],
    ['one IPv4 address', ['203.0.113.5'], ['IPv4, by a stand-in']],
    [
      'one address per version',
      ['203.0.113.5', '2001:db8::5'],
      ['IPv4, by a stand-in', 'IPv6, by a stand-in'],
    ],
    ['all addresses and a single one', ['203.0.113.5', '0.0.0.0'], ['IPv4']],
    ['two addresses', ['203.0.113.5', '203.0.113.6'], ['IPv4, by a stand-in']],
    ['loopback only', ['127.0.0.1', '::1'], []],
    ['link-local only', ['fe80::1%eth0', '169.254.3.4'], []],
  ])('returns the IP versions of the listeners: %s', (_what, addresses, targets) => {
    expect(at(...addresses)).toEqual(targets);
  });

  it('returns all ports', () => {
    const listeners = [22, 2222].map((port) => ({ address: '0.0.0.0', port }));
    expect(probeTargetsOf(listeners).map(({ port }) => port)).toEqual([22, 2222]);
  });
});

describe('leadsOutOverIPv6', () => {
  const address = (text: string, internal = false) =>
    leadsOutOverIPv6({ family: 'IPv6', address: text, internal });

  it('accepts a global address', () => {
    expect([address('2001:db8::5'), address('fd00::5')]).toEqual([true, true]);
  });

  it('rejects link-local and loopback addresses', () => {
    expect([address('fe80::5054:ff:fe12:3456'), address('FEBF::1'), address('::1', true)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
