import { randomBytes } from 'node:crypto';

const base64 = [
  'mDMEY865UxYJKwYBBAHaRw8BAQdAd7Z0srwuhlB6JKFkcf4HU4SSS/xcRfwEQWzr',
  'crf6AEq0SURlYmlhbiBTdGFibGUgUmVsZWFzZSBLZXkgKDEyL2Jvb2t3b3JtKSA8',
  'ZGViaWFuLXJlbGVhc2VAbGlzdHMuZGViaWFuLm9yZz6IlgQTFggAPhYhBE1k/sEZ',
  'wgKQZ9bnkfjSWFuHg9SBBQJjzrlTAhsDBQkPCZwABQsJCAcCBhUKCQgLAgQWAgMB',
  'Ah4BAheAAAoJEPjSWFuHg9SBSgwBAP9qpeO5z1s5m4D4z3TcqDo1wez6DNya27QW',
  'WoG/4oBsAQCEN8Z00DXagPHbwrvsY2t9BCsT+PgnSn9biobwX7bDDg==',
];

/** The key of Debian's release team for Debian 12, as its archive has it. */
export const debianKey = {
  fingerprint: '4D64FEC119C2029067D6E791F8D2585B8783D481',
  base64,
  binary: Buffer.from(base64.join(''), 'base64'),
};

/** Lines of base64, or packets, as a block of armor with a header and a checksum. */
export function armor(content: readonly string[] | Buffer, lineBreak = '\n'): string {
  return [
    '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    'Comment: any',
    '',
    ...(Buffer.isBuffer(content) ? [content.toString('base64')] : content),
    '=5NZE',
    '-----END PGP PUBLIC KEY BLOCK-----',
    '',
  ].join(lineBreak);
}

/** A packet of the new format (RFC 4880, 4.2.2). */
export function packet(tag: number, body: Buffer): Buffer {
  const header = Buffer.from([0xc0 | tag, 0xff, 0, 0, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([header, body]);
}

/** Another primary key, of version 4 and no use. */
export function newKey(): Buffer {
  return packet(6, Buffer.concat([Buffer.from([4]), randomBytes(50)]));
}
