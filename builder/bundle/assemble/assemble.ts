import { posix } from 'node:path';
import tar from 'tar-stream';
import { z } from 'zod';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { architectureOf } from '../../base/platform.ts';
import type { Descriptor } from '../../inputs/blobs/blob.ts';
import type { BlobStore } from '../../inputs/blobs/store.ts';
import type { Program } from '../../inputs/config/appliance-schema.ts';
import { type Document, parseJson, valid } from '../../inputs/registry/document.ts';
import { ociConfig, ociLayer, ociManifest, ociTypeOf } from '../../inputs/registry/media-types.ts';
import type { ImageSource, PlatformImage } from '../../inputs/sources/source.ts';
import { type Recipe, recipes } from './recipes.ts';

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

/** The fields of the base's configuration that are used. Its digest is already verified. */
const baseConfig = z.looseObject({
  config: z.looseObject({ Env: z.array(z.string()).nullish() }).nullish(),
  rootfs: z.object({ type: z.literal('layers'), diff_ids: z.array(z.string()) }),
  history: z.array(z.unknown()).nullish(),
});

/**
 * Returns the configuration of a base with one more layer. It keeps the base's file system and
 * environment, and takes the run settings from the recipe. It also keeps the base's creation time,
 * because the current time would make the output irreproducible.
 * @throws LandfallError IMAGE_MANIFEST
 */
function assembledConfig(base: PlatformImage, recipe: Recipe, layer: OwnLayer): Document {
  const what = 'the base of an assembled image';
  const value = parseJson(base.config.bytes, what);
  const { config, rootfs, history, ...rest } = valid(baseConfig, value, what);
  return documentOf(ociConfig, {
    ...rest,
    config: { ...recipe.config, Env: [...(config?.Env ?? []), ...recipe.env] },
    rootfs: { type: 'layers', diff_ids: [...rootfs.diff_ids, layer.diffId] },
    ...(history ? { history: [...history, { created_by: `landfall: add ${recipe.path}` }] } : {}),
  });
}

/** The name and index digest of the base, for the annotations of the OCI image-spec. */
interface BaseImage {
  readonly reference: string;
  readonly index: string;
}

/** Returns an OCI manifest, even if the base has a Docker manifest. */
function assembledManifest(
  layers: readonly Descriptor[],
  config: Document,
  base: BaseImage,
): Document {
  return documentOf(ociManifest, {
    schemaVersion: 2,
    mediaType: ociManifest,
    config: config.descriptor,
    layers,
    annotations: {
      'org.opencontainers.image.base.name': base.reference,
      'org.opencontainers.image.base.digest': base.index,
    },
  });
}

/** Returns an OCI index with a single platform. */
function assembledIndex(manifest: Document, platform: PlatformImage['platform']): Document {
  const mediaType = ociTypeOf('index');
  const entry = {
    ...manifest.descriptor,
    platform: { architecture: architectureOf(platform), os: 'linux' },
  };
  return documentOf(mediaType, { schemaVersion: 2, mediaType, manifests: [entry] });
}

/** Returns a layer descriptor with the OCI media type. The bytes of Docker layers are the same. */
function ociLayerOf({ mediaType, digest, size }: Descriptor): Descriptor {
  const [, compression] = /[.+](gzip|zstd)$/.exec(mediaType) ?? [];
  return { mediaType: compression ? `${ociLayer}+${compression}` : ociLayer, digest, size };
}

function documentOf(mediaType: string, value: object): Document {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length } };
}

/** A layer in memory. */
interface OwnLayer {
  readonly descriptor: Descriptor;
  /** Digest of the tar; equals the layer digest, because the layer is not compressed. */
  readonly diffId: Digest;
  readonly bytes: Buffer;
}

/**
 * Creates a layer with one program. The layer is not compressed: compressors differ between
 * machines, which would make the output irreproducible to save less than two megabytes.
 * @param path path in the image, without a leading slash
 */
async function programLayer(path: string, program: Buffer): Promise<OwnLayer> {
  const pack = tar.pack();
  for (const folder of foldersAbove(path))
    pack.entry({ ...owned, name: folder, mode: 0o755, type: 'directory' });
  pack.entry({ ...owned, name: path, mode: 0o644 }, program);
  pack.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of pack) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const digest = digestOf(bytes);
  return { descriptor: { mediaType: ociLayer, digest, size: bytes.length }, diffId: digest, bytes };
}

/** Fixed owner and mtime, so builds are reproducible. */
const owned = { uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(0) } as const;

/** Returns `opt/` and `opt/landfall/` for `opt/landfall/relay.mjs`. */
function foldersAbove(path: string): string[] {
  const parts = posix.dirname(path).split('/');
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
}
