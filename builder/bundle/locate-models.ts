import { isGguf } from '../lock/locked-model.ts';
import type { LocatedModel } from '../models/located-model.ts';
import type { ModelSources } from '../models/model-sources.ts';
import type { SelectedModel } from './select-models.ts';

/**
 * Looks up the models that a bundle carries. For a registry model only the manifest is fetched
 * now; a GGUF file is fetched completely.
 * @param folder base folder for relative paths
 * @throws LandfallError LOCK_DRIFT, MODEL_…, BLOB_DIGEST and what sources throw
 */
export async function locateModels(
  selected: readonly SelectedModel[],
  sources: ModelSources,
  folder: string,
): Promise<LocatedModel[]> {
  return Promise.all(
    selected
      .filter(({ carried }) => carried)
      .map(({ name, template, locked }) => {
        if (!isGguf(locked)) return sources.registry.locate(name, locked.manifest);
        const { gguf: source, sha256, size } = locked;
        return sources.make({ name, source, sha256, size: Number(size), template }, folder);
      }),
  );
}
