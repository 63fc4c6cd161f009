import { p256 } from '@noble/curves/nist.js';
import { pointOf } from '../p256-spki.ts';

/**
 * Returns whether a signature (ECDSA P-256, SHA-256, DER) over bytes is valid for a key. Never
 * throws on malicious input. Like OpenSSL, it accepts a high s and rejects non-canonical DER.
 * @param publicKey the DER SubjectPublicKeyInfo of `readPublicKey`, 91 bytes
 */
export function verifyP256(
  publicKey: Uint8Array,
  signature: Uint8Array,
  data: Uint8Array,
): boolean {
  const point = pointOf(publicKey);
  if (!point) return false;
  try {
    return p256.verify(signature, data, point, { format: 'der', lowS: false, prehash: true });
  } catch {
    return false;
  }
}
