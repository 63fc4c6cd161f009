import { verifyP256 } from '#platform/verify-p256.ts';
import type { PublicKey } from './keys.ts';

/**
 * Maximum DER size of an ECDSA P-256 signature: two 33-byte integers with their headers.
 * `openssl dgst -verify` reads no further, so it would ignore the rest of a longer file.
 */
export const maxSignatureBytes = 72;

/**
 * Returns the key that made a signature (ECDSA P-256, SHA-256, DER) over these bytes, or undefined.
 * Rejects trailing data after the DER value, and signatures that are longer than openssl reads.
 * Never throws on malicious input.
 */
export function signerOf(
  message: Uint8Array,
  signature: Uint8Array,
  keys: readonly PublicKey[],
): PublicKey | undefined {
  if (signature.byteLength === 0 || signature.byteLength > maxSignatureBytes) return undefined;
  return keys.find(({ der }) => verifyP256(der, signature, message));
}
