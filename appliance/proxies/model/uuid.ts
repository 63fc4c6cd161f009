import { createHash } from 'node:crypto';

/**
 * Returns the identifier of a user. Text that is no UUID becomes one, as in Xray, sing-box and mihomo:
 * version 5 of RFC 9562 with a namespace of zeros.
 */
export function uuidOf(text: string): string {
  const plain = /^(?:urn:uuid:)?\{?([0-9a-f-]+)\}?$/i.exec(text)?.[1]?.replaceAll('-', '') ?? '';
  return dashed(/^[0-9a-f]{32}$/i.test(plain) ? plain.toLowerCase() : mapped(text));
}

function mapped(text: string): string {
  const hash = createHash('sha1').update(Buffer.alloc(16)).update(text).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16);
}

function dashed(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
