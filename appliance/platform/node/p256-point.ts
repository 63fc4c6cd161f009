import { ECDH } from 'node:crypto';

const pointBytes = 65;

/**
 * Returns a point of P-256 with both coordinates, 65 bytes, whichever encoding (SEC 1, section 2.3.3) it
 * has. Undefined for what is no point of the curve.
 */
export function readPoint(encoded: Uint8Array): Uint8Array | undefined {
  try {
    const point = ECDH.convertKey(encoded, 'prime256v1', undefined, undefined, 'uncompressed');
    // The point at infinity is shorter, and no public key. A string would need an output encoding.
    return typeof point !== 'string' && point.length === pointBytes ? point : undefined;
  } catch {
    return undefined;
  }
}
