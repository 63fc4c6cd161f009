import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { descriptorSchema, type ParsedDescriptor, toDescriptor } from './descriptor.ts';
import { malformed, maxDocumentBytes, printable, tooLarge } from './document.ts';
import { isConfigType, isForeignLayerType, isLayerType } from './media-types.ts';

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
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success)
    throw malformed(`the manifest of ${what} is malformed`, schemaProblems(parsed.error.issues));
  const { config, layers } = parsed.data;
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
  const problems = descriptors.filter(isForeign).map(
    ({ digest, mediaType, urls }): Problem => ({
      message: urls?.length
        ? `${digest} refers to ${printable(urls[0] ?? '')}`
        : `${digest} has the media type ${printable(mediaType)}`,
    }),
  );
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
  const problems = layers
    .filter(({ mediaType }) => !isLayerType(mediaType))
    .map(({ digest, mediaType }) => ({
      message: `${digest} has the media type ${printable(mediaType)}`,
    }));
  if (problems.length === 0) return;
  throw new LandfallError('IMAGE_MANIFEST', `${what} has layers of an unsupported media type`, {
    hint: 'Use an image with tar, tar+gzip or tar+zstd layers; artifacts and encrypted images cannot be run.',
    problems,
  });
}
