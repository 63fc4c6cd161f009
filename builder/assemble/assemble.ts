import type { BlobStore } from '../blobs/store.ts';
import type { Program } from '../config/appliance-schema.ts';
import type { Document } from '../registry/document.ts';
import type { ImageSource, PlatformImage } from '../sources/source.ts';
import {
  assembledConfig,
  assembledIndex,
  assembledManifest,
  type BaseImage,
  ociLayerOf,
} from './documents.ts';
import { programLayer } from './program-layer.ts';
import { recipes } from './recipes.ts';

/** The inputs of an assembled image. */
interface AssemblyInputs extends BaseImage {
  readonly image: PlatformImage;
  readonly source: Pick<ImageSource, 'fetch'>;
  readonly program: Program;
  /** The program, bundled into one JavaScript file. */
  readonly script: Buffer;
}

/** An image that the builder assembled, for one platform. */
interface AssembledImage {
  readonly index: Document;
  readonly image: PlatformImage;
  /** Fetches base layers from the source of the base, and the program layer from memory. */
  readonly source: Pick<ImageSource, 'fetch'>;
}

/**
 * Adds a program of Landfall to a locked image: a layer, a configuration, a manifest, an index.
 * The output is reproducible: the same inputs give the same bytes on every machine.
 * @throws LandfallError IMAGE_MANIFEST when the base's configuration is malformed
 */
export async function assembleImage(
  { reference, index: baseIndex, image: base, source, program, script }: AssemblyInputs,
  store: BlobStore,
): Promise<AssembledImage> {
  const recipe = recipes[program];
  const layer = await programLayer(recipe.path, script);
  const layers = [...base.layers.map(ociLayerOf), layer.descriptor];
  const config = assembledConfig(base, recipe, layer);
  const manifest = assembledManifest(layers, config, { reference, index: baseIndex });
  return {
    index: assembledIndex(manifest, base.platform),
    image: { platform: base.platform, manifest, config, layers },
    source: {
      async fetch(blob, signal) {
        if (blob.digest !== layer.descriptor.digest) return source.fetch(blob, signal);
        await store.put(layer.bytes, blob.mediaType);
      },
    },
  };
}
