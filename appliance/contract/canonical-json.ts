import { type ErrorCode, LandfallError } from './errors.ts';

/** One value, one spelling: two-space indentation, keys as they come, a newline at the end, UTF-8. */
export function encodeCanonicalJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8');
}

/**
 * Parses JSON and refuses every spelling but the canonical one. Comparing the bytes with what
 * encoding the result gives rules out duplicate keys, odd escapes, broken UTF-8 and trailing
 * bytes at once, without a parser of our own: two programs cannot read the same bytes differently.
 * @throws LandfallError with the given code.
 */
export function decodeCanonicalJson(bytes: Uint8Array, code: ErrorCode): unknown {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let value: unknown;
  let canonical: Buffer;
  try {
    value = JSON.parse(source.toString('utf8'));
    // Hostile nesting overflows the encoder's stack, which is a refusal too.
    canonical = encodeCanonicalJson(value);
  } catch (cause) {
    throw new LandfallError(code, 'release.json is not JSON', { cause });
  }
  if (!canonical.equals(source)) {
    throw new LandfallError(code, 'release.json is JSON, but not in its canonical form', {
      hint: 'Somebody rewrote the file after it was signed. Download the bundle again.',
    });
  }
  return value;
}
