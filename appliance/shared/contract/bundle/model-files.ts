import { type Digest, isDigest } from '../trust/digest.ts';
import { modelBlobPath, modelsFolder } from './bundle-paths.ts';
import { refusal } from './refusals.ts';
import type { Release, ReleaseModel } from './release.ts';

/** Returns whether a bundle contains a model; otherwise the server pulls it. */
export function carriesModel(
  { files }: Pick<Release, 'files'>,
  { manifest }: Pick<ReleaseModel, 'manifest'>,
): boolean {
  if (manifest === null || !isDigest(manifest)) return false;
  const path = modelBlobPath(manifest);
  return files.some((file) => file.path === path);
}

/**
 * Checks the models of a release. Files in the models folder are moved into Ollama's store, which
 * identifies a blob by its name, so each name must be the digest of the content.
 * @throws LandfallError BUNDLE_MANIFEST
 */
export function checkModels(release: Pick<Release, 'kind' | 'models' | 'files'>): void {
  const { kind, models, files } = release;
  const misnamed = files.find(
    ({ path, sha256 }) => isAmongModels(path) && path !== modelBlobPath(`sha256:${sha256}`),
  );
  if (misnamed) {
    throw refusal('model-files', `${misnamed.path} is not named by its SHA-256`);
  }
  const digests = new Set<Digest>(
    files.filter(({ path }) => isAmongModels(path)).map(({ sha256 }): Digest => `sha256:${sha256}`),
  );
  const missing = models.find(
    ({ manifest }) => manifest === null || !isDigest(manifest) || !digests.has(manifest),
  );
  if (kind === 'full' && missing) {
    throw refusal(
      'model-files',
      `the bundle is full, but does not contain the model ${missing.name}`,
    );
  }
  if (models.length === 0 && digests.size > 0) {
    throw refusal(
      'model-files',
      'the bundle contains model files, but release.json lists no model',
    );
  }
}

/** Compares paths without case, because some file systems ignore case. */
function isAmongModels(path: string): boolean {
  const folded = path.toLowerCase();
  return folded === modelsFolder || folded.startsWith(`${modelsFolder}/`);
}

/** Bytes per parameter with the usual 4-bit quantization, including overhead. */
const bytesPerParameter = 0.65;
/** Size of the specification's sample model (SPEC 8), for names without a size. */
const defaultBytes = 4.7e9;

/**
 * Returns the size of a model on disk in bytes; it needs slightly more memory. Estimates the size
 * from the name if the release has no measured value.
 */
export function modelSize({ name, size }: Pick<ReleaseModel, 'name' | 'size'>): number {
  return size ?? guessedSize(name);
}

/** Estimates a size. @param name such as `qwen3:8b` or `llama3.2:1b-instruct-q4_K_M` */
function guessedSize(name: string): number {
  const found = /[:-](?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/i.exec(name);
  if (!found) return defaultBytes;
  const [, experts = '1', count = '0', unit = 'b'] = found;
  const parameters = Number(experts) * Number(count) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6);
  return Math.round(parameters * bytesPerParameter);
}
