import { ECDH } from 'node:crypto';

const pointBytes = 65;

/**
 * Decodes a point of P-256 in any encoding (SEC 1, section 2.3.3) and returns both coordinates, 65
 * bytes. Undefined for anything that is not a point of the curve.
 */
export function readPoint(encoded: Uint8Array): Uint8Array | undefined {
  try {
    const point = ECDH.convertKey(encoded, 'prime256v1', undefined, undefined, 'uncompressed');
    // The point at infinity is shorter and not a valid key. A string would need an output encoding.
    return typeof point !== 'string' && point.length === pointBytes ? point : undefined;
  } catch {
    return undefined;
  }
}
