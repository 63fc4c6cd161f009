import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { findListed, OllamaApi } from './ollama-api.ts';
import { engineStore, hasBlobs, storedModel } from './store.ts';

/** A model to look for. */
interface SoughtModel {
  readonly name: ModelName;
  /** Digest of the manifest; null accepts any model of this name. */
  readonly manifest: string | null;
}

interface ModelPresence {
  /** Whether the model is complete in Ollama's store, in the layout that Landfall writes. */
  readonly stored: boolean;
  /**
   * Whether Ollama lists the model and all blobs exist. Ollama's own list decides, because the store
   * layout of pulled models depends on the version. While Ollama does not run, equals `stored`.
   */
  readonly present: boolean;
}

/** Returns the presence of models on this server, in the given order. Read-only. */
export async function modelPresence(
  host: Host,
  site: Pick<Site, 'ports'>,
  sought: readonly SoughtModel[],
): Promise<ModelPresence[]> {
  const absent = { stored: false, present: false };
  const store = sought.length > 0 ? await engineStore(host) : undefined;
  if (store === undefined) return sought.map(() => absent);
  const listed = await host.outside.measure(() => OllamaApi.of(site).listIfRunning());
  return await Promise.all(
    sought.map(async ({ name, manifest }) => {
      const found = await storedModel(host, store, name);
      const stored = found !== undefined && (manifest === null || found.digest === manifest);
      if (!listed) return { stored, present: stored };
      const model = findListed(listed, shortModelName(name));
      if (!model || (manifest !== null && model.digest !== manifest))
        return { stored, present: false };
      return { stored, present: await hasBlobs(host, store, name, model.digest) };
    }),
  );
}
