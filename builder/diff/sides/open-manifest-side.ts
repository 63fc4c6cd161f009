import { open } from 'node:fs/promises';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { judgeLayout } from '#contract/bundle/layout.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { fileError } from '../../files/file-error.ts';
import { pinRelease } from '../../user-data/pin-release.ts';
import { readManifest } from '../../user-data/read-release.ts';
import { expectSha256 } from './expect-sha256.ts';
import type { ReleaseSide } from './side.ts';

/**
 * Opens a published `release.json`. If trusted keys are given, its signature is verified, from the file
 * `….json.sig`. Of the files of the release, only the SBOM can be read: as
 * `<name>.sbom.cdx.json` beside `<name>.release.json`, where `landfall build` writes it.
 * @param name the path as the user wrote it
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_…
 */
export async function openManifestSide(
  path: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<ReleaseSide> {
  const manifest = await readManifest(path);
  const verified = keys
    ? pinRelease(manifest, await readManifest(`${path}.sig`), { keys, allowNewKeys: true })
    : unsigned(manifest);
  return {
    type: 'manifest',
    name,
    ...verified,
    async read(wanted, maxBytes) {
      const file = verified.release.files.find((each) => each.path === wanted);
      const isReadable = wanted === sbom && path.endsWith(manifestName);
      if (!isReadable || !file || file.size > maxBytes) return undefined;
      const beside = `${path.slice(0, -manifestName.length)}${sbom}`;
      const bytes = await readIfPresent(beside, file.size);
      return bytes && expectSha256(bytes, file);
    },
    async [Symbol.asyncDispose]() {},
  };
}

function unsigned(
  manifest: Uint8Array,
): Pick<ReleaseSide, 'release' | 'manifestSha256' | 'signer'> {
  const release = decodeRelease(manifest);
  judgeLayout(release);
  return { release, manifestSha256: sha256Hex(manifest), signer: undefined };
}

/** Reads at most one byte more than expected, so that another file fails the check of its SHA-256. */
async function readIfPresent(path: string, expected: number): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(expected + 1));
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, path);
  }
}
