import type { Digest } from '#contract/trust/digest.ts';
import type { Platform } from '../../base/platform.ts';
import type { BlobStore } from '../../inputs/blobs/store.ts';
import { isGguf } from '../../inputs/lock/lock.ts';
import { refuseOther } from '../../inputs/lock/pending-entry.ts';
import type { LocatedModel } from '../../inputs/models/model.ts';
import type { ModelSources } from '../../inputs/models/model-sources.ts';
import type { ImageSource, PlatformImage, ResolvedImage } from '../../inputs/sources/source.ts';
import { assembleImage } from '../assemble/assemble.ts';
import type { Scripts } from './program.ts';
import type { Selected, SelectedModel } from './selection.ts';

interface LocateDeps {
  readonly openLocked: (component: Selected) => ImageSource;
  readonly scripts: Scripts;
  readonly store: BlobStore;
}

/**
 * Looks up the locked images for one platform in parallel and assembles those with a program.
 * @throws LandfallError LOCK_DRIFT when a source does not match the lock, and what sources throw
 */
export async function locateImages(
  components: readonly Selected[],
  platform: Platform,
  { openLocked, scripts, store }: LocateDeps,
): Promise<LocatedImage[]> {
  return Promise.all(
    components.map(async (component) => {
      const source = openLocked(component);
      const { index, platforms } = await source.resolve([platform]);
      const [image] = platforms;
      if (!image) throw new Error(`${component.name}: the source returned no platform`);
      const { name, program, locked } = component;
      // Registries are queried by digest. Files and Docker are not, so their result is compared here.
      refuseOther(
        name,
        { index: locked.index, ...locked.platforms[platform] },
        { index: index.descriptor.digest, manifest: image.manifest.descriptor.digest },
      );
      if (!program) return { component: name, index, image, source };
      const base = { reference: locked.image, index: index.descriptor.digest };
      const script = scripts.get(program)?.bytes ?? Buffer.alloc(0);
      const assembled = await assembleImage({ ...base, image, source, program, script }, store);
      return { component: name, ...assembled, base };
    }),
  );
}

/** An image for a bundle. Its documents are in memory; `source` fetches its layers. */
export interface LocatedImage {
  readonly component: string;
  readonly index: ResolvedImage['index'];
  readonly image: PlatformImage;
  readonly source: Pick<ImageSource, 'fetch'>;
  /** The base of an assembled image. */
  readonly base?: { readonly reference: string; readonly index: Digest } | undefined;
}

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
