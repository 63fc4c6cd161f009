import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { silentReporter } from '../../base/progress/reporter.ts';
import { openBundle } from './open-bundle.ts';

/**
 * Reads the head of a bundle without verifying its signature: the release, its bytes and SHA-256, all
 * members by name, their time in seconds since 1970, and the size of the head in bytes.
 * @throws LandfallError BUNDLE_…
 */
export async function unverifiedHead(content: AsyncIterable<Uint8Array>) {
  const reader = new ByteReader(content);
  try {
    const { members, mtime, size: headSize } = await readHead(reader);
    const manifest = members.get(manifestName) ?? new Uint8Array();
    const manifestSha256 = sha256Hex(manifest);
    return { release: decodeRelease(manifest), manifest, manifestSha256, members, mtime, headSize };
  } finally {
    await reader.close();
  }
}

/**
 * Reads the head of a bundle on disk like {@link unverifiedHead}, and returns its size and that of its
 * parts too.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_…
 */
export async function headOfBundle(path: string) {
  await using bundle = await openBundle(path, silentReporter);
  const { size, partSize } = bundle;
  return { ...(await unverifiedHead(bundle.content)), size, partSize };
}
