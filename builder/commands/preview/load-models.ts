import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import { parseModelName } from '#contract/bundle/model-name.ts';
import type { Release, ReleaseModel } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { isDigest } from '#contract/trust/digest.ts';
import { blobPath, blobsOfModel, manifestPath } from '../../../appliance/server/ollama/store.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import { archiveOf, type BundleReader } from './bundle-reader.ts';
import type { Docker } from './docker/docker.ts';

/** Where `compose.yaml` mounts the volume of Ollama. Its store is the folder `models`. */
const volume = '/root/.ollama';

/** Returns the models of a release that are in its bundle. A preview downloads no models. */
export function bundledModels({
  models,
  files,
}: Pick<Release, 'models' | 'files'>): ReleaseModel[] {
  const paths = new Set(files.map(({ path }) => path));
  return models.filter(
    ({ manifest }) => manifest !== null && isDigest(manifest) && paths.has(modelBlobPath(manifest)),
  );
}

/**
 * Copies models of the bundle into the volume of Ollama, through its container.
 * @throws LandfallError MODEL_FAILED, BUNDLE_CONTENT, COMMAND_FAILED
 */
export async function loadModels(
  docker: Docker,
  reader: BundleReader,
  container: string,
  models: readonly ReleaseModel[],
  reporter: Reporter,
): Promise<void> {
  for (const { name, manifest } of models) {
    const parsed = parseModelName(name);
    if (!parsed || manifest === null || !isDigest(manifest)) continue;
    const path = modelBlobPath(manifest);
    const blobs = blobsOfModel(await reader.read(path));
    if (!blobs) {
      throw new LandfallError('MODEL_FAILED', `the manifest of ${name} is not valid`, {
        hint: 'Build the bundle again.',
      });
    }
    // The manifest is last, because Ollama lists a model when its manifest exists.
    const members = [
      ...blobs.map(({ digest }) => ({ name: blobPath(digest), path: modelBlobPath(digest) })),
      { name: manifestPath(parsed), path },
    ].map((file) => ({ name: `models/${file.name}`, content: { path: file.path } }));
    const input = archiveOf(reader, `loading ${name}`, members, reporter);
    await docker.run(['container', 'cp', '-', `${container}:${volume}`], { input });
  }
}
