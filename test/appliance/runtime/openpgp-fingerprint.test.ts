import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openpgpFingerprint } from '../../../appliance/runtime/openpgp-fingerprint.ts';

/** The key of Debian's release team for Debian 12, as its archive has it. */
const fingerprint = '4D64FEC119C2029067D6E791F8D2585B8783D481';
const base64 = [
  'mDMEY865UxYJKwYBBAHaRw8BAQdAd7Z0srwuhlB6JKFkcf4HU4SSS/xcRfwEQWzr',
  'crf6AEq0SURlYmlhbiBTdGFibGUgUmVsZWFzZSBLZXkgKDEyL2Jvb2t3b3JtKSA8',
  'ZGViaWFuLXJlbGVhc2VAbGlzdHMuZGViaWFuLm9yZz6IlgQTFggAPhYhBE1k/sEZ',
  'wgKQZ9bnkfjSWFuHg9SBBQJjzrlTAhsDBQkPCZwABQsJCAcCBhUKCQgLAgQWAgMB',
  'Ah4BAheAAAoJEPjSWFuHg9SBSgwBAP9qpeO5z1s5m4D4z3TcqDo1wez6DNya27QW',
  'WoG/4oBsAQCEN8Z00DXagPHbwrvsY2t9BCsT+PgnSn9biobwX7bDDg==',
];
const binary = Buffer.from(base64.join(''), 'base64');
const armored = (lineBreak: string) =>
  [
    '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    'Comment: any',
    '',
    ...base64,
    '=5NZE',
    '-----END PGP PUBLIC KEY BLOCK-----',
    '',
  ].join(lineBreak);

describe('the fingerprint of an OpenPGP key', () => {
  it('is that of its first key packet', () => {
    expect(openpgpFingerprint(binary)).toBe(fingerprint);
  });

  it.each(['\n', '\r\n'])('is the same in armor with lines that end in %j', (lineBreak) => {
    expect(openpgpFingerprint(Buffer.from(armored(lineBreak)))).toBe(fingerprint);
  });

  it('is the same in a packet of the new format', () => {
    const body = binary.subarray(2, 2 + (binary[1] ?? 0));
    for (const header of [
      [0xc6, body.length],
      [0xc6, 0xff, 0, 0, 0, body.length],
    ]) {
      const packet = Buffer.concat([Buffer.from(header), body]);
      expect(openpgpFingerprint(packet)).toBe(fingerprint);
    }
  });

  it('changes with every byte of the key', () => {
    const length = 2 + (binary[1] ?? 0);
    for (let place = 3; place < length; place += 1) {
      const changed = Buffer.from(binary);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(openpgpFingerprint(changed)).not.toBe(fingerprint);
    }
  });

  it('is not found in what is no key', () => {
    expect(openpgpFingerprint(Buffer.from('<html>404</html>'))).toBeUndefined();
    expect(openpgpFingerprint(binary.subarray(0, 20))).toBeUndefined();
    expect(openpgpFingerprint(Buffer.alloc(1 << 20))).toBeUndefined();
  });

  it('is never made of anything but 40 digits, whatever the file holds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(openpgpFingerprint(Buffer.from(bytes)) ?? 'A'.repeat(40)).toMatch(/^[0-9A-F]{40}$/);
      }),
    );
  });
});
