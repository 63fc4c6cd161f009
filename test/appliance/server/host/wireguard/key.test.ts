import { describe, expect, it } from 'vitest';
import { wireguardKey } from '#contract/site/network/access.ts';
import { makeKey, publicKeyOf } from '../../../../../appliance/server/host/wireguard/key.ts';

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');

describe('a key of WireGuard', () => {
  it('computes the public key of the test vector (RFC 7748, 6.1)', () => {
    expect(
      publicKeyOf(base64('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb')),
    ).toBe(base64('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f'));
  });

  it('makes another one each time, in the form of `wg genkey`', () => {
    const keys = Array.from({ length: 50 }, makeKey);
    expect(new Set(keys).size).toBe(50);
    for (const key of keys) {
      expect(key).toMatch(wireguardKey);
      expect(publicKeyOf(key)).toMatch(wireguardKey);
    }
  });
});
