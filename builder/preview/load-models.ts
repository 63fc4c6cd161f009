import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import { parseModelName } from '#contract/bundle/model-name.ts';
import type { Release, ReleaseModel } from '#contract/bundle/release.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { storeFiles } from '#preview/model-files.ts';
import type { Reporter } from '../progress/reporter.ts';
import { archiveOf } from './archive.ts';
import type { BundleReader } from './bundle-reader.ts';
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
 * @param listed digests of the models that Ollama lists
 * @throws LandfallError MODEL_FAILED, BUNDLE_CONTENT, COMMAND_FAILED
 */
export async function loadModels(
  docker: Docker,
  reader: BundleReader,
  { container, models, listed }: LoadedModels,
  reporter: Reporter,
): Promise<void> {
  for (const { name, manifest } of models) {
    const parsed = parseModelName(name);
    if (!parsed || manifest === null || !isDigest(manifest) || listed.has(manifest)) continue;
    const bytes = await reader.read(modelBlobPath(manifest));
    const files = storeFiles(parsed, manifest, bytes);
    const total = files.reduce((sum, { digest }) => sum + size(digest), 0);
    const transfer = reporter.transfer(`loading ${name}`, total);
    try {
      const members = files.map(({ path, digest }) => ({
        name: `models/${path}`,
        content: { path: modelBlobPath(digest) },
      }));
      const input = archiveOf(reader, members, transfer);
      await docker.run(['container', 'cp', '-', `${container}:${volume}`], { input });
    } finally {
      transfer.end();
    }
  }

  function size(digest: Digest): number {
    return reader.sizeOf(modelBlobPath(digest)) ?? 0;
  }
}

/** Models and the container that gets them. */
interface LoadedModels {
  readonly container: string;
  readonly models: readonly ReleaseModel[];
  readonly listed: ReadonlySet<string>;
}
