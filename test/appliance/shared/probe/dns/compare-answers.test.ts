import { describe, expect, it } from 'vitest';
import { checkDns } from '../../../../../appliance/shared/probe/dns/compare-answers.ts';
import type { Attempt } from '../../../../../appliance/shared/probe/exchange/attempt.ts';

const [right, other] = ['198.51.100.7', '203.0.113.5'];

/** A request that passed TLS. */
const trusted = (...addresses: string[]): Attempt => ({
  steps: [{ name: 'tls', took: 1 }],
  addresses,
  status: 401,
});
const failed = (code: 'NETWORK_TLS' | 'NETWORK_TIMEOUT', ...addresses: string[]): Attempt => ({
  steps: [],
  addresses,
  failure: { step: 'tls', code, reason: '' },
});
const late = (...addresses: string[]) => failed('NETWORK_TIMEOUT', ...addresses);

describe('a DNS answer', () => {
  it.each([
    ['the certificate is right', trusted(other), [right], undefined, 'clean'],
    [
      'the certificate is right at a fake address',
      trusted('198.18.0.7'),
      [right],
      undefined,
      'clean',
    ],
    ['both answers agree', late(right), [right], undefined, 'clean'],
    [
      'both answers agree in another notation',
      late('2001:DB8::0:1'),
      ['2001:db8::1'],
      undefined,
      'clean',
    ],
    ['the name does not exist', late(), [], undefined, 'clean'],
    [
      'the right address has the right certificate',
      late(other),
      [right],
      trusted(right),
      'polluted',
    ],
    ['the name exists only in the encrypted answer', late(), [right], trusted(right), 'polluted'],
    [
      'the certificate is of another host',
      failed('NETWORK_TLS', other),
      [right],
      late(right),
      'polluted',
    ],
    ['the address is private', late('10.0.0.1'), [right], late(right), 'polluted'],
    ['the address is this machine', late('::1'), [right], late(right), 'polluted'],
    ['the address is unspecified', late('0.0.0.0'), [right], late(right), 'polluted'],
    ['both addresses are silent', late(other), [right], late(right), 'suspected'],
    [
      'the address is loopback, without an encrypted answer',
      late('127.0.0.1'),
      undefined,
      undefined,
      'suspected',
    ],
    ['there is no encrypted answer', late(other), undefined, undefined, 'unknown'],
    ['only the local network knows the name', late('10.0.0.1'), [], undefined, 'unknown'],
  ] as const)('classifies a DNS answer if %s', (_what, direct, encrypted, corrected, state) => {
    expect(checkDns({ direct, trusted: encrypted, corrected })).toBe(state);
  });
});
