import { join } from 'node:path';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { readRegular } from '#files/open-regular.ts';
import { blobsOfModel, largestManifest, type ModelBlob } from '../ollama/model-manifest.ts';

interface LockedManifest {
  /** Verbatim, because Ollama shows their SHA-256. */
  readonly bytes: Buffer;
  readonly blobs: readonly ModelBlob[];
}

/**
 * Reads the manifest of a bundled model.
 * @param releaseFolder absolute path
 * @throws LandfallError MODEL_FAILED if it does not match the release, or blobs are missing
 */
export async function readLockedManifest(
  { files }: Pick<Release, 'files'>,
  releaseFolder: string,
  manifest: Digest,
): Promise<LockedManifest> {
  const path = join(releaseFolder, modelBlobPath(manifest));
  const bytes = await readRegular(path, largestManifest, { follow: false });
  if (!bytes || digestOf(bytes) !== manifest) {
    throw damaged(`${modelBlobPath(manifest)} does not match the release`);
  }
  const blobs = blobsOfModel(bytes);
  if (!blobs) throw damaged(`${modelBlobPath(manifest)} is not a model manifest`);
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const missing = blobs.find(({ digest, size }) => sizes.get(modelBlobPath(digest)) !== size);
  if (missing) throw damaged(`${modelBlobPath(missing.digest)} is not in the release`);
  return { bytes, blobs };
}

function damaged(message: string): LandfallError {
  return new LandfallError('MODEL_FAILED', message, {
    hint: 'Download the release again: remove its folder and start landfall-boot.',
  });
}
