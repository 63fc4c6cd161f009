import { encodeUtf8 } from '../text/utf8.ts';
import { sha256Hex } from '../trust/digest.ts';
import { manifestName } from './head.ts';
import type { Release } from './release.ts';

/**
 * Generates the `SHA256SUMS` member: the manifest and the files it lists, in the format of
 * `sha256sum -c --strict`, for checks without Landfall. The content follows from the manifest, so
 * a verifier regenerates and compares it.
 */
export function checksumsOf(release: Release, manifest: Uint8Array): Uint8Array {
  const lines = [
    `${sha256Hex(manifest)}  ${manifestName}`,
    ...release.files.map((file) => `${file.sha256}  ${file.path}`),
  ];
  return encodeUtf8(`${lines.join('\n')}\n`);
}
