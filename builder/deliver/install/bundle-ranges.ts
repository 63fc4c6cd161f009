import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import type { ReleaseFile } from '#contract/bundle/release.ts';
import { blockSize } from '#contract/bundle/tar-header.ts';
import { LandfallError } from '#contract/errors.ts';
import { releasesFolder } from '#contract/server-paths.ts';
import type { RootShell } from '../ssh/root.ts';

/** Bytes of a bundle: the offset of the first one, and the offset after the last one. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Bytes between two files that are sent too: each range costs a round trip. */
const maxGap = 1 << 20;

/**
 * Returns the ranges of a bundle that a server needs: the head, and the files that none of its releases
 * has. An update links the others.
 * @param known files of the server, by {@link identityOf}
 */
export function neededRanges(
  headSize: number,
  files: readonly ReleaseFile[],
  known: ReadonlySet<string>,
): ByteRange[] {
  const missing = files.filter((file) => !known.has(identityOf(file)));
  // The next header shows where the head ends.
  const ranges: ByteRange[] = [{ from: 0, to: headSize + blockSize }];
  for (const { offset, size } of missing) {
    const [from, to] = [headSize + offset, headSize + offset + size];
    const last = ranges.at(-1);
    // The head is sent alone, for the check before the question.
    if (last && ranges.length > 1 && from - last.to <= maxGap) {
      ranges.splice(-1, 1, { from: last.from, to });
    } else if (size > 0) ranges.push({ from, to });
  }
  return ranges;
}

/** Identifies a file as an update does, which links one with the same content and mode. */
function identityOf({ sha256, size, executable }: ReleaseFile): string {
  return `${sha256} ${size} ${executable}`;
}

/** Bytes of release.json. */
const maxManifest = 8 << 20;

/** Prints the manifests of the complete releases, one per line in base64. */
const script = `
cd /${releasesFolder} || exit 0
for folder in *; do
  case $folder in *.new*) continue ;; esac
  head -c ${maxManifest} "$folder/release.json" 2>/dev/null | base64 -w 0
  echo
done
`;

/** Returns the files of the releases on a server, by {@link identityOf}. */
export async function knownFiles(root: RootShell): Promise<ReadonlySet<string>> {
  const { stdout } = await root.run(script);
  return new Set(stdout.split('\n').flatMap(filesIn));
}

/** Returns no files for a damaged manifest: they are sent. */
function filesIn(line: string): string[] {
  try {
    const { release } = decodeNewerRelease(Buffer.from(line, 'base64'));
    return release.files.map(identityOf);
  } catch (error) {
    if (error instanceof LandfallError) return [];
    throw error;
  }
}
