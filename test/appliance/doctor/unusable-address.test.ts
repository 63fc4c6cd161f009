import { describe, expect, it } from 'vitest';
import { isUnusable } from '../../../appliance/doctor/unusable-address.ts';

describe('an address that no other server has', () => {
  it.each([
    '0.0.0.0',
    '127.0.0.1',
    '169.254.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
  ])('recognises an address that no other server has: %s', (address) =>
    expect(isUnusable(address)).toBe(true),
  );

  it.each(['1.1.1.1', '10.0.0.1', '192.168.1.1', '223.5.5.5', '2001:db8::1', 'fd00::1', '', 'x'])(
    'accepts an address that another server can have: %j',
    (address) => expect(isUnusable(address)).toBe(false),
  );
});
