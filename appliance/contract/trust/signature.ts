import { verifyP256 } from '#platform/verify-p256.ts';
import type { PublicKey } from './keys.ts';

/**
 * The longest DER encoding of an ECDSA P-256 signature: two 33-byte integers with their headers.
 * `openssl dgst -verify` reads no further, so a longer file would be judged by its first part only.
 */
export const maxSignatureBytes = 72;

/**
 * Which of the keys made this signature (ECDSA P-256, SHA-256, DER) over these bytes.
 * A DER value with bytes behind it is refused; the cap refuses what openssl would not look at.
 * Returns undefined when none did. Never throws on hostile input.
 */
export function signerOf(
  message: Uint8Array,
  signature: Uint8Array,
  keys: readonly PublicKey[],
): PublicKey | undefined {
  if (signature.byteLength === 0 || signature.byteLength > maxSignatureBytes) return undefined;
  return keys.find(({ der }) => verifyP256(der, signature, message));
}
