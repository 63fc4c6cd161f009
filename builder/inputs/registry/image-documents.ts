import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { maxDocumentBytes, parseJson, printable, tooLarge, valid } from './document.ts';
import { isConfigType, isForeignLayerType, isLayerType } from './media-types.ts';

const digestSchema = z.custom<Digest>(
  (value) => typeof value === 'string' && isDigest(value),
  'must be a SHA-256 digest',
);

/** 8 TiB: far larger than any image, and exactly representable as a number. */
const maxBlob = 2 ** 43;
const maxUrls = 64;

/** A descriptor in a document (OCI image-spec, "Descriptors"). Unknown keys are allowed. */
export const descriptorSchema = z.object({
  mediaType: z.string().max(255),
  digest: digestSchema,
  size: z.int('must be a number of bytes').nonnegative().max(maxBlob),
  urls: z.array(z.string()).max(maxUrls).nullish(),
});

type ParsedDescriptor = z.infer<typeof descriptorSchema>;

/** Returns only the fields that identify a blob. */
export function toDescriptor({ mediaType, digest, size }: ParsedDescriptor): Descriptor {
  return { mediaType, digest, size };
}

/**
 * The platform of an index entry or a configuration. An empty variant means none (OCI image-spec).
 */
const platformSchema = z.object({
  os: z.string().max(64),
  architecture: z.string().max(64),
  variant: z
    .string()
    .max(64)
    .nullish()
    .transform((variant) => variant || undefined),
});

/** The platform of an index entry. */
export interface IndexPlatform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string | undefined;
}

export interface IndexEntry {
  readonly descriptor: Descriptor;
  readonly platform: IndexPlatform | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

const maxEntries = 1024;

const indexSchema = z.object({
  manifests: z
    .array(
      descriptorSchema.extend({
        platform: platformSchema.nullish(),
        annotations: z.record(z.string(), z.string()).nullish(),
      }),
    )
    .max(maxEntries),
});

/**
 * Validates an index or manifest list (OCI image-spec "Image Index") and returns its entries.
 * @param value parsed JSON
 * @throws LandfallError IMAGE_MANIFEST
 */
export function readIndex(value: unknown, what: string): readonly IndexEntry[] {
  return valid(indexSchema, value, `the index of ${what}`).manifests.map((entry) => ({
    descriptor: toDescriptor(entry),
    platform: entry.platform ?? undefined,
    annotations: entry.annotations ?? {},
  }));
}

/** The fields of an image configuration that must agree with its manifest. */
export interface ImageConfig extends IndexPlatform {
  /** Digests of the uncompressed layers, base first. */
  readonly diffIds: readonly Digest[];
}

const configSchema = platformSchema.extend({
  rootfs: z.object({
    type: z.literal('layers'),
    diff_ids: z.array(digestSchema).max(1024),
  }),
});

/**
 * Reads an image configuration (OCI image-spec "Image Configuration"; Docker's has the same keys).
 * @throws LandfallError IMAGE_MANIFEST
 */
export function readConfig(bytes: Buffer, what: string): ImageConfig {
  const name = `the configuration of ${what}`;
  const { os, architecture, variant, rootfs } = valid(configSchema, parseJson(bytes, name), name);
  return { os, architecture, variant, diffIds: rootfs.diff_ids };
}

/** The manifest of one platform (OCI image-spec "Image Manifest", Docker schema 2). */
interface ImageManifest {
  readonly config: Descriptor;
  /** Base first. Compression (gzip, zstd or none) does not matter here. */
  readonly layers: readonly Descriptor[];
}

/** Docker's own limit is 127. */
const maxLayers = 1024;

const manifestSchema = z.object({
  config: descriptorSchema,
  layers: z.array(descriptorSchema).min(1, 'must not be empty').max(maxLayers),
});

/**
 * Validates a manifest and returns its configuration and layers.
 * @param value parsed JSON
 * @throws LandfallError IMAGE_MANIFEST; IMAGE_FOREIGN_LAYER for content outside of the registry
 */
export function readManifest(value: unknown, what: string): ImageManifest {
  const { config, layers } = valid(manifestSchema, value, `the manifest of ${what}`);
  refuseArtifact(config, what);
  refuseForeign([config, ...layers], what);
  refuseUnknownLayers(layers, what);
  if (config.size > maxDocumentBytes) throw tooLarge(`the configuration of ${what}`);
  return { config: toDescriptor(config), layers: layers.map(toDescriptor) };
}

function refuseArtifact(config: ParsedDescriptor, what: string): void {
  if (isConfigType(config.mediaType)) return;
  throw new LandfallError('IMAGE_MANIFEST', `${what} is an artifact, not a container image`, {
    hint: `Check the name; the configuration has the media type ${printable(config.mediaType)}.`,
  });
}

function refuseForeign(descriptors: readonly ParsedDescriptor[], what: string): void {
  const problems = descriptors.filter(isForeign).map(describe);
  if (problems.length === 0) return;
  throw new LandfallError(
    'IMAGE_FOREIGN_LAYER',
    `${what} has foreign layers, which its registry does not store`,
    {
      hint: 'Use an image whose layers are all in the registry; foreign layers cannot be redistributed.',
      problems,
    },
  );
}

function isForeign({ mediaType, urls }: ParsedDescriptor): boolean {
  return isForeignLayerType(mediaType) || (urls?.length ?? 0) > 0;
}

function refuseUnknownLayers(layers: readonly ParsedDescriptor[], what: string): void {
  const problems = layers.filter(({ mediaType }) => !isLayerType(mediaType)).map(describe);
  if (problems.length === 0) return;
  throw new LandfallError('IMAGE_MANIFEST', `${what} has layers of an unsupported media type`, {
    hint: 'Use an image with tar, tar+gzip or tar+zstd layers; artifacts and encrypted images cannot be run.',
    problems,
  });
}

function describe({ digest, mediaType, urls }: ParsedDescriptor): Problem {
  const [url] = urls ?? [];
  const found =
    url === undefined
      ? `has the media type ${printable(mediaType)}`
      : `refers to ${printable(url)}`;
  return { message: `${digest} ${found}` };
}
