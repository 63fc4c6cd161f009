import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dockerKey } from '../../../appliance/runtime/docker-key.ts';

interface Packet {
  readonly tag: number;
  readonly body: Buffer;
}

/** The packets of the key, all in the old format with a length of one or two bytes (RFC 4880, 4.2.1). */
function packets(): Packet[] {
  const base64 = dockerKey.split('\n').filter((line) => /^[A-Za-z0-9+/]+=*$/.test(line));
  const bytes = Buffer.from(base64.join(''), 'base64');
  const found: Packet[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at);
    expect(first & 0xc2).toBe(0x80);
    const width = (first & 0x01) + 1;
    const begin = at + 1 + width;
    at = begin + bytes.readUIntBE(at + 1, width);
    found.push({ tag: (first >> 2) & 0x0f, body: bytes.subarray(begin, at) });
  }
  return found;
}

/** SHA-1 over 0x99, two bytes of length, and the packet (RFC 4880, 12.2). */
function fingerprintOf({ body }: Packet): string {
  const prefix = Buffer.from([0x99, body.length >> 8, body.length & 0xff]);
  return createHash('sha1').update(prefix).update(body).digest('hex').toUpperCase();
}

describe("Docker's key", () => {
  it('has the fingerprint that Docker documents', () => {
    const [primary] = packets();
    expect(primary && fingerprintOf(primary)).toBe('9DC858229FC7DD38854AE2D88D81803C0EBFCD88');
  });

  it('is one primary key with one signed user ID and one signed subkey', () => {
    expect(packets().map(({ tag }) => tag)).toEqual([6, 13, 2, 14, 2]);
  });

  it("has the subkey that signs Docker's package lists", () => {
    const subkey = packets().find(({ tag }) => tag === 14);
    expect(subkey && fingerprintOf(subkey)).toBe('D3306A018370199E527AE7997EA0A9C3F273FCD8');
  });

  it('is one block of armor', () => {
    expect(dockerKey).toMatch(
      /^-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n(?:[A-Za-z0-9+/]{1,64}=*\n)+=[A-Za-z0-9+/]{4}\n-----END PGP PUBLIC KEY BLOCK-----\n$/,
    );
  });
});
