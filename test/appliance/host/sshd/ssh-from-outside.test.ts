import { describe, expect, it } from 'vitest';
import { leadsOutOverIPv6 } from '../../../../appliance/host/outside/probe.ts';
import { probeTargetsOf } from '../../../../appliance/host/sshd/ssh-from-outside.ts';

const at = (...addresses: string[]) =>
  probeTargetsOf(addresses.map((address) => ({ address, port: 22 }))).map(
    ({ family, standIn }) => `IPv${family}${standIn ? ', by a stand-in' : ''}`,
  );

describe('where SSH is asked from outside', () => {
  it.each([
    ['AddressFamily any', ['0.0.0.0', '::'], ['IPv4', 'IPv6']],
    ['AddressFamily inet', ['0.0.0.0'], ['IPv4']],
    ['AddressFamily inet6', ['::'], ['IPv6']],
    ['one socket for all', ['*'], ['IPv4', 'IPv6']],
    ['one address of IPv4', ['203.0.113.5'], ['IPv4, by a stand-in']],
    [
      'one address of each',
      ['203.0.113.5', '2001:db8::5'],
      ['IPv4, by a stand-in', 'IPv6, by a stand-in'],
    ],
    ['every address and one more', ['203.0.113.5', '0.0.0.0'], ['IPv4']],
    ['two addresses', ['203.0.113.5', '203.0.113.6'], ['IPv4, by a stand-in']],
    ['this machine alone', ['127.0.0.1', '::1'], []],
    ['its link alone', ['fe80::1%eth0', '169.254.3.4'], []],
  ])('is what sshd listens on: %s', (_what, addresses, places) => {
    expect(at(...addresses)).toEqual(places);
  });

  it('is every port', () => {
    const listeners = [22, 2222].map((port) => ({ address: '0.0.0.0', port }));
    expect(probeTargetsOf(listeners).map(({ port }) => port)).toEqual([22, 2222]);
  });
});

describe('a server with IPv6', () => {
  const address = (text: string, internal = false) =>
    leadsOutOverIPv6({ family: 'IPv6', address: text, internal });

  it('has an address that others reach', () => {
    expect([address('2001:db8::5'), address('fd00::5')]).toEqual([true, true]);
  });

  it('is none where there are only the addresses that every interface makes itself', () => {
    expect([address('fe80::5054:ff:fe12:3456'), address('FEBF::1'), address('::1', true)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
