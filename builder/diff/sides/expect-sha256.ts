import { refusal } from '#contract/bundle/refusals.ts';
import type { ReleaseFile } from '#contract/bundle/release.ts';
import { sha256Hex } from '#contract/trust/digest.ts';

/**
 * Returns the bytes of a file if they match `release.json`.
 * @throws LandfallError BUNDLE_CONTENT
 */
export function expectSha256(bytes: Uint8Array, { path, sha256 }: ReleaseFile): Uint8Array {
  if (sha256Hex(bytes) === sha256) return bytes;
  throw refusal('content', `the SHA-256 of ${path} differs from release.json`);
}
