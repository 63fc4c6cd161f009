import { encodeUtf8 } from './utf8.ts';

/**
 * Encodes JSON deterministically: two-space indentation, keys in order, trailing newline, UTF-8.
 */
export function encodeCanonicalJson(value: unknown): Uint8Array {
  return encodeUtf8(`${JSON.stringify(value, null, 2)}\n`);
}
