/** One value, one spelling: two-space indentation, keys as they come, a newline at the end, UTF-8. */
export function encodeCanonicalJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8');
}
