import { nodeBinary } from '../server-paths.ts';
import { encodeUtf8 } from '../text/bytes.ts';
import { sha256Hex } from '../trust/digest.ts';
import { headMembers, manifestName } from './head.ts';
import { refusal } from './refusals.ts';
import type { Release } from './release.ts';
import { blockSize, endOfArchive, paddingAfter } from './tar-header.ts';

/** Returns the offsets of the files in a bundle. Each has a header, content and padding. */
export function offsetsOf(files: ReadonlyArray<{ readonly size: number }>): number[] {
  let position = 0;
  return files.map(({ size }) => {
    const offset = position + blockSize;
    position = offset + size + paddingAfter(size);
    return offset;
  });
}

/** Returns the bytes of a bundle after its head: the files and the end of the archive. */
export function sizeAfterHead(files: Release['files']): number {
  const last = files.at(-1);
  const end = last ? last.offset + last.size + paddingAfter(last.size) : 0;
  return end + endOfArchive.length;
}

/**
 * Checks the list of files: unique paths on any file system, correct offsets.
 * @throws LandfallError BUNDLE_MANIFEST
 */
export function checkLayout(release: Release): void {
  // The bootstrap unpacks Node next to the files and would overwrite a file of this name.
  const taken = new Set([...headMembers.map(({ name }) => name.toLowerCase()), nodeBinary]);
  const folders = new Set<string>();
  for (const { path } of [...release.files, ...release.downloads]) {
    const folded = path.toLowerCase();
    if (taken.has(folded) || folders.has(folded)) throw clash(path);
    taken.add(folded);
    for (const folder of foldersOf(folded)) {
      if (taken.has(folder)) throw clash(path);
      folders.add(folder);
    }
  }
  const offsets = offsetsOf(release.files);
  const wrong = release.files.find(({ offset }, index) => offset !== offsets[index]);
  if (wrong) throw refusal('offsets', `release.json has a wrong offset for ${wrong.path}`);
}

function clash(path: string): Error {
  return refusal('unique-paths', `${path} conflicts with another path in release.json`);
}

function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

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
