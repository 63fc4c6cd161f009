import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseAddressPool, overlap } from '../../../appliance/runtime/address-pool.ts';

describe('the address range for containers', () => {
  it('is rarely used by providers, and split into networks of 254 addresses', () => {
    expect(chooseAddressPool(['default', '203.0.113.0/24'])).toEqual({
      base: '10.213.0.0/16',
      size: 24,
    });
  });

  it('does not overlap a network of the server', () => {
    expect(chooseAddressPool(['10.0.0.0/8'])?.base).toBe('172.30.0.0/16');
    expect(chooseAddressPool(['10.213.7.0/24'])?.base).toBe('172.30.0.0/16');
    expect(chooseAddressPool(['10.213.7.9'])?.base).toBe('172.30.0.0/16');
  });

  it('does not overlap any route', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const range = fc
      .tuple(fc.constantFrom(10, 172, 192, 203), octet, octet, fc.integer({ min: 8, max: 32 }))
      .map(([a, b, c, prefix]) => `${a}.${b}.${c}.0/${prefix}`);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (routes) => {
        const pool = chooseAddressPool(routes);
        if (pool) expect(routes.filter((route) => overlap(pool.base, route))).toEqual([]);
      }),
    );
  });

  it('is undefined if every range is used', () => {
    expect(chooseAddressPool(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])).toBeUndefined();
  });
});

describe('two ranges', () => {
  it('overlap if one contains the other, in either order', () => {
    expect(overlap('10.0.0.0/8', '10.213.0.0/16')).toBe(true);
    expect(overlap('10.213.0.0/16', '10.0.0.0/8')).toBe(true);
    expect(overlap('10.213.0.0/16', '10.214.0.0/16')).toBe(false);
  });

  it('do not overlap if one is not an IPv4 range', () => {
    expect(overlap('10.213.0.0/16', 'default')).toBe(false);
    expect(overlap('10.213.0.0/16', 'fd00::/64')).toBe(false);
  });
});
