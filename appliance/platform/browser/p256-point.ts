import { p256 } from '@noble/curves/nist.js';

const hybrid = { even: 0x06, odd: 0x07 };
const uncompressed = 0x04;

/**
 * Returns a point of P-256 with both coordinates, 65 bytes, whichever encoding (SEC 1, section 2.3.3) it
 * has. Undefined for what is no point of the curve.
 */
export function readPoint(encoded: Uint8Array): Uint8Array | undefined {
  try {
    return p256.Point.fromBytes(withoutParity(encoded)).toBytes(false);
  } catch {
    return undefined;
  }
}

/** The hybrid encoding names the parity of y besides y itself; the library does not know it. */
function withoutParity(encoded: Uint8Array): Uint8Array {
  const parity = (encoded.at(-1) ?? 0) % 2 === 0 ? hybrid.even : hybrid.odd;
  return encoded[0] === parity && encoded.length === 65
    ? Uint8Array.of(uncompressed, ...encoded.subarray(1))
    : encoded;
}
