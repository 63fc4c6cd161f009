import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { engineOrigin, findListed, listIfRunning } from './models.ts';
import { engineStore, hasBlobs, storedModel } from './store.ts';

/** A model that is looked for. */
interface SoughtModel {
  readonly name: ModelName;
  /** The digest of its manifest; null: any model of the name will do. */
  readonly manifest: string | null;
}

interface ModelPresence {
  /** Whether it lies in the engine's store as it is laid out there from a bundle, whole. */
  readonly stored: boolean;
  /**
   * Whether the engine has it, whole. It says so itself: versions differ in where they keep what they
   * have pulled. While it is silent, what lies in its store has to do.
   */
  readonly present: boolean;
}

/** How it stands with models here, in the order in which they were given. Changes nothing. */
export async function modelPresence(
  host: Host,
  site: Pick<Site, 'ports'>,
  sought: readonly SoughtModel[],
): Promise<ModelPresence[]> {
  const nowhere = { stored: false, present: false };
  const store = sought.length > 0 ? await engineStore(host) : undefined;
  if (store === undefined) return sought.map(() => nowhere);
  const listed = await host.outside.measure(() => listIfRunning(engineOrigin(site)));
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
