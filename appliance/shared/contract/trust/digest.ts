import { sha256 } from '#platform/sha256.ts';
import { encodeUtf8, toHex } from '../text/bytes.ts';

/** A registry digest: `sha256:` and 64 lower-case hex digits (OCI image-spec, "Digests"). */
export type Digest = `sha256:${string}`;

const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** Returns whether a text is a canonical SHA-256 digest. */
export function isDigest(text: string): text is Digest {
  return digestPattern.test(text);
}

/** Returns the SHA-256 of bytes in memory as 64 hex digits. Streams are hashed incrementally. */
export function sha256Hex(bytes: Uint8Array | string): string {
  return toHex(sha256(typeof bytes === 'string' ? encodeUtf8(bytes) : bytes));
}

/** Returns the digest of bytes in memory. */
export function digestOf(bytes: Uint8Array | string): Digest {
  return `sha256:${sha256Hex(bytes)}`;
}

/** Returns the 64 hex digits of a digest. */
export function hexOf(digest: Digest): string {
  return digest.slice('sha256:'.length);
}
