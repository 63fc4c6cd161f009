import { encodeUtf8 } from './utf8.ts';

/** One value, one spelling: two-space indentation, keys as they come, a newline at the end, UTF-8. */
export function encodeCanonicalJson(value: unknown): Uint8Array {
  return encodeUtf8(`${JSON.stringify(value, null, 2)}\n`);
}
