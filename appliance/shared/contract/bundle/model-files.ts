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
