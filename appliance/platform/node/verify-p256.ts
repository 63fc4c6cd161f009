import { createPublicKey, verify } from 'node:crypto';
import { pointOf } from '../p256-spki.ts';

/**
 * Tells whether a signature (ECDSA P-256, SHA-256, DER) over some bytes was made with a key. Never throws
 * on hostile input. OpenSSL accepts a high s and refuses other encodings of the same numbers.
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
