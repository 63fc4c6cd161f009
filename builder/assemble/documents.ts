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

/** What of a base's configuration is kept; its digest was checked, its form in part. */
const baseConfig = z.looseObject({
  config: z.looseObject({ Env: z.array(z.string()).nullish() }).nullish(),
  rootfs: z.object({ type: z.literal('layers'), diff_ids: z.array(z.string()) }),
  history: z.array(z.unknown()).nullish(),
});

/**
 * The configuration of an image with one layer more: the base's system and variables, the recipe's
 * way to run. It carries the base's time, because ours would make other bytes of the same inputs.
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

/** The base's name and index, as annotations of the OCI image-spec. */
export interface BaseImage {
  readonly reference: string;
  readonly index: string;
}

/** A manifest of OCI's kind, whichever kind the base is of. */
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

/** The index that people know an image by, here of one platform. */
export function assembledIndex(manifest: Document, platform: PlatformImage['platform']): Document {
  const mediaType = ociTypeOf('index');
  const entry = {
    ...manifest.descriptor,
    platform: { architecture: architectureOf(platform), os: 'linux' },
  };
  return documentOf(mediaType, { schemaVersion: 2, mediaType, manifests: [entry] });
}

/** A layer of Docker's kind under OCI's name for the same bytes. */
export function ociLayerOf({ mediaType, digest, size }: Descriptor): Descriptor {
  const [, compression] = /[.+](gzip|zstd)$/.exec(mediaType) ?? [];
  return { mediaType: compression ? `${ociLayer}+${compression}` : ociLayer, digest, size };
}

function documentOf(mediaType: string, value: object): Document {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length } };
}
