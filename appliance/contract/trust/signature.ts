import { verify } from 'node:crypto';
import type { PublicKey } from './keys.ts';

/**
 * The longest DER encoding of an ECDSA P-256 signature: two 33-byte integers with their headers.
 * `openssl dgst -verify` reads no further, so a longer file would be judged by its first part only.
 */
export const maxSignatureBytes = 72;

/**
 * Which of the keys made this signature (ECDSA P-256, SHA-256, DER) over these bytes.
 * Node refuses a DER value with bytes behind it; the cap refuses what openssl would not look at.
 * Returns undefined when none did. Never throws on hostile input.
 */
export function signerOf(
  message: Uint8Array,
  signature: Uint8Array,
  keys: readonly PublicKey[],
): PublicKey | undefined {
  if (signature.byteLength === 0 || signature.byteLength > maxSignatureBytes) return undefined;
  return keys.find(({ key }) => verify('sha256', message, { key, dsaEncoding: 'der' }, signature));
}
