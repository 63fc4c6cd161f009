import { describe, expect, it } from 'vitest';
import {
  networkHash,
  networkOf,
} from '../../../../../appliance/relay/node/usage/client-network.ts';

describe('the network of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0'],
    ['::ffff:203.0.113.7', '203.0.113.0'],
    ['2001:db8:1:2::7', '2001:db8:1'],
    ['2001:0DB8:0001::7', '2001:db8:1'],
    ['2001:db8::1:0:0:7', '2001:db8:0'],
    ['2001::7', '2001:0:0'],
    ['::1', '0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0'],
    ['1:2:3:4:5:6:7:8', '1:2:3'],
    ['203.0.113', undefined],
    ['203.0.113.7, 203.0.113.8', undefined],
    ['unix:', undefined],
    ['', undefined],
  ])('finds the network of %s: %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('hashes a network with the key and the day', () => {
    const key = Buffer.alloc(32, 1);
    const hash = networkHash(key, '203.0.113.7', '2027-03-31');
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(networkHash(key, '203.0.113.99', '2027-03-31')).toBe(hash);
    const others = [
      networkHash(key, '203.0.114.7', '2027-03-31'),
      networkHash(key, '203.0.113.7', '2027-04-01'),
      networkHash(Buffer.alloc(32, 2), '203.0.113.7', '2027-03-31'),
    ];
    expect(new Set([hash, ...others]).size).toBe(4);
    expect(networkHash(key, 'x', '2027-03-31')).toBeUndefined();
  });
});
