import { p256 } from '@noble/curves/nist.js';

const hybrid = { even: 0x06, odd: 0x07 };
const uncompressed = 0x04;

/**
 * Decodes a point of P-256 in any encoding (SEC 1, section 2.3.3) and returns both coordinates, 65
 * bytes. Undefined for anything that is not a point of the curve.
 */
export function readPoint(encoded: Uint8Array): Uint8Array | undefined {
  try {
    return p256.Point.fromBytes(withoutParity(encoded)).toBytes(false);
  } catch {
    return undefined;
  }
}

/** Removes the parity from the hybrid encoding, which the library does not support. */
function withoutParity(encoded: Uint8Array): Uint8Array {
  const parity = (encoded.at(-1) ?? 0) % 2 === 0 ? hybrid.even : hybrid.odd;
  return encoded[0] === parity && encoded.length === 65
    ? Uint8Array.of(uncompressed, ...encoded.subarray(1))
    : encoded;
}
