import { z } from 'zod';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { digestOf } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { architectureOf } from '../platform.ts';
import { type Document, malformed, parseJson } from '../registry/document.ts';
import { ociConfig, ociLayer, ociManifest, ociTypeOf } from '../registry/media-types.ts';
import type { PlatformImage } from '../sources/source.ts';
import type { OwnLayer } from './program-layer.ts';
import type { Recipe } from './recipes.ts';

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
export function assembledConfig(base: PlatformImage, recipe: Recipe, layer: OwnLayer): Document {
  const what = 'the base of an assembled image';
  const parsed = baseConfig.safeParse(parseJson(base.config.bytes, what));
  if (!parsed.success) throw malformed(`${what} is malformed`, schemaProblems(parsed.error.issues));
  const { config, rootfs, history, ...rest } = parsed.data;
  return documentOf(ociConfig, {
    ...rest,
    config: { ...recipe.config, Env: [...(config?.Env ?? []), ...recipe.env] },
    rootfs: { type: 'layers', diff_ids: [...rootfs.diff_ids, layer.diffId] },
    ...(history ? { history: [...history, { created_by: `landfall: add ${recipe.path}` }] } : {}),
  });
}

/** The name and index digest of the base, for the annotations of the OCI image-spec. */
export interface BaseImage {
  readonly reference: string;
  readonly index: string;
}

/** Returns an OCI manifest, even if the base has a Docker manifest. */
export function assembledManifest(
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
export function assembledIndex(manifest: Document, platform: PlatformImage['platform']): Document {
  const mediaType = ociTypeOf('index');
  const entry = {
    ...manifest.descriptor,
    platform: { architecture: architectureOf(platform), os: 'linux' },
  };
  return documentOf(mediaType, { schemaVersion: 2, mediaType, manifests: [entry] });
}

/** Returns a layer descriptor with the OCI media type. The bytes of Docker layers are the same. */
export function ociLayerOf({ mediaType, digest, size }: Descriptor): Descriptor {
  const [, compression] = /[.+](gzip|zstd)$/.exec(mediaType) ?? [];
  return { mediaType: compression ? `${ociLayer}+${compression}` : ociLayer, digest, size };
}

function documentOf(mediaType: string, value: object): Document {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length } };
}
