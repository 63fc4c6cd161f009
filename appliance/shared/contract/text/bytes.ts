/** Compares byte arrays. Not for secrets: it stops at the first difference. */
export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** Concatenates byte arrays. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Decodes bytes as ISO 8859-1, one character per byte. */
export function toLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Encodes bytes as lower-case hex digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Decodes hex digits. */
export function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Reads the first bytes of a stream, and closes it if there are more. */
export async function readAtMost(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= maxBytes) break;
  }
  return concatBytes(...chunks).subarray(0, maxBytes);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Encodes text as UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes UTF-8. Invalid bytes become U+FFFD; a byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

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
