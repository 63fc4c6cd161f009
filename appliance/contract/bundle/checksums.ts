import { encodeUtf8 } from '../text/utf8.ts';
import { sha256Hex } from '../trust/digest.ts';
import { manifestName } from './head.ts';
import type { Release } from './release.ts';

/**
 * The `SHA256SUMS` member: the manifest and all it lists, in the format of `sha256sum -c --strict`,
 * for people who trust coreutils more than us. It follows from the manifest alone, so a reader
 * makes it again and compares instead of believing it.
 */
export function checksumsOf(release: Release, manifest: Uint8Array): Uint8Array {
  const lines = [
    `${sha256Hex(manifest)}  ${manifestName}`,
    ...release.files.map((file) => `${file.sha256}  ${file.path}`),
  ];
  return encodeUtf8(`${lines.join('\n')}\n`);
}
