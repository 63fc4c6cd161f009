import { sha256 } from '#platform/sha256.ts';
import { toHex } from '../text/bytes.ts';
import { encodeUtf8 } from '../text/utf8.ts';

/** A digest as registries write it: `sha256:` and 64 lower-case hex digits (OCI image-spec, "Digests"). */
export type Digest = `sha256:${string}`;

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Tells whether a text is a SHA-256 digest in its canonical spelling. */
export function isDigest(text: string): text is Digest {
  return digestPattern.test(text);
}

/** The SHA-256 of some bytes as 64 hex digits. For bytes in memory; streams hash as they pass. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return toHex(sha256(typeof bytes === 'string' ? encodeUtf8(bytes) : bytes));
}

/** The digest of some bytes in memory. */
export function digestOf(bytes: Uint8Array | string): Digest {
  return `sha256:${sha256Hex(bytes)}`;
}

/** The 64 hex digits of a digest. */
export function hexOf(digest: Digest): string {
  return digest.slice('sha256:'.length);
}
