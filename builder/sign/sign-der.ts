import { type KeyObject, sign } from 'node:crypto';

/** The order of the group of P-256 (SEC 2, section 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const scalarBytes = 32;

/**
 * Signs with ECDSA P-256 over SHA-256 and returns DER, as `openssl dgst -verify` and cosign require.
 * Every signature has two valid forms, (r, s) and (r, order - s); the one with the low s is returned.
 */
export function signDer(bytes: Uint8Array, key: KeyObject): Buffer {
  const raw = sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
  const r = BigInt(`0x${raw.toString('hex', 0, scalarBytes)}`);
  const s = BigInt(`0x${raw.toString('hex', scalarBytes)}`);
  const body = Buffer.concat([derInteger(r), derInteger(s > order / 2n ? order - s : s)]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

/** Encodes a positive INTEGER (X.690, section 8.3): minimal length, with a leading zero if needed. */
function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const isNegative = bytes.readUInt8(0) >= 0x80;
  const content = isNegative ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(0x02, content.length), content]);
}
