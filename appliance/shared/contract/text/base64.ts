import { toLatin1 } from './bytes.ts';

/** Returns bytes in base64 (RFC 4648, section 4), padded. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(toLatin1(bytes));
}

/**
 * Decodes base64, with or without padding ("forgiving-base64 decode" of the Infra standard).
 * Undefined for invalid text.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
