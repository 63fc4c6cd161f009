import type { ModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Digest } from '#contract/trust/digest.ts';
import { blobsOfModel } from '../ollama/model-manifest.ts';
import { blobPath, manifestPath } from '../ollama/store.ts';

/** A file of Ollama's store and the blob of the bundle with its content. */
interface StoreFile {
  /** Relative to the store. */
  readonly path: string;
  readonly digest: Digest;
}

/**
 * Returns the files of a model in Ollama's store. The manifest is last, because Ollama lists a model
 * when its manifest exists.
 * @param bytes the manifest
 * @throws LandfallError MODEL_FAILED
 */
export function storeFiles(name: ModelName, manifest: Digest, bytes: Buffer): StoreFile[] {
  const blobs = blobsOfModel(bytes);
  if (!blobs) {
    throw new LandfallError('MODEL_FAILED', `the manifest of ${name.model} is not valid`, {
      hint: 'Build the bundle again.',
    });
  }
  return [
    ...blobs.map(({ digest }) => ({ path: blobPath(digest), digest })),
    { path: manifestPath(name), digest: manifest },
  ];
}
