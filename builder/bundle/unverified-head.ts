import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { silentReporter } from '../progress/reporter.ts';
import { type OpenBundle, openBundle } from './open-bundle.ts';

/** The head of a bundle, whose signature is not verified. */
interface UnverifiedHead {
  readonly release: Release;
  /** The bytes of release.json. */
  readonly manifest: Uint8Array;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
  /** Content by member name. */
  readonly members: ReadonlyMap<string, Uint8Array>;
  /** The time of all members, in seconds since 1970. */
  readonly mtime: number;
  /** Bytes. */
  readonly headSize: number;
}

/** Reads the head of a bundle without verifying its signature. @throws LandfallError BUNDLE_… */
export async function unverifiedHead(content: AsyncIterable<Uint8Array>): Promise<UnverifiedHead> {
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
export async function headOfBundle(
  path: string,
): Promise<UnverifiedHead & Pick<OpenBundle, 'size' | 'partSize'>> {
  await using bundle = await openBundle(path, silentReporter);
  const { size, partSize } = bundle;
  return { ...(await unverifiedHead(bundle.content)), size, partSize };
}
