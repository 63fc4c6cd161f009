import { encodeUtf8 } from './utf8.ts';

/**
 * Encodes JSON deterministically: keys in order, trailing newline, UTF-8.
 * @param indent spaces per level; 0: everything on one line
 */
export function encodeCanonicalJson(value: unknown, indent: 0 | 2 = 2): Uint8Array {
  return encodeUtf8(`${JSON.stringify(value, null, indent)}\n`);
}
