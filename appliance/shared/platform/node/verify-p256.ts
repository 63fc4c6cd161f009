import { createPublicKey, verify } from 'node:crypto';
import { pointOf } from '../p256-spki.ts';

/**
 * Returns whether a signature (ECDSA P-256, SHA-256, DER) over bytes is valid for a key. Never
 * throws on malicious input. OpenSSL accepts a high s and rejects non-canonical DER.
 * @param publicKey the DER SubjectPublicKeyInfo of `readPublicKey`, 91 bytes
 */
export function verifyP256(
  publicKey: Uint8Array,
  signature: Uint8Array,
  data: Uint8Array,
): boolean {
  if (!pointOf(publicKey)) return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    return verify('sha256', data, { key, dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}
