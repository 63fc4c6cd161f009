import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { descriptorSchema, type ParsedDescriptor, toDescriptor } from './descriptor.ts';
import { malformed, maxDocumentBytes, printable, tooLarge } from './document.ts';
import { isConfigType, isForeignLayerType, isLayerType } from './media-types.ts';

/** A manifest of one platform (OCI image-spec "Image Manifest", Docker schema 2). */
interface ImageManifest {
  readonly config: Descriptor;
  /** Base first. Gzip, zstd and uncompressed alike: nothing here looks inside. */
  readonly layers: readonly Descriptor[];
}

/** Docker itself stops at 127. */
const mostLayers = 1024;

const manifestSchema = z.object({
  config: descriptorSchema,
  layers: z.array(descriptorSchema).min(1, 'must not be empty').max(mostLayers),
});

/**
 * Checks a manifest and takes what is needed from it.
 * @param value parsed JSON
 * @throws LandfallError IMAGE_MANIFEST; IMAGE_FOREIGN_LAYER when content lies outside the registry
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
    hint: `Its configuration is of the kind ${printable(config.mediaType)}. Check the name.`,
  });
}

function refuseForeign(descriptors: readonly ParsedDescriptor[], what: string): void {
  const problems = descriptors.filter(isForeign).map(
    ({ digest, mediaType, urls }): Problem => ({
      message: urls?.length
        ? `${digest} is to be fetched from ${printable(urls[0] ?? '')}`
        : `${digest} is of the kind ${printable(mediaType)}`,
    }),
  );
  if (problems.length === 0) return;
  throw new LandfallError(
    'IMAGE_FOREIGN_LAYER',
    `${what} has content that its registry does not hold`,
    {
      hint: 'A manifest that sends the builder to other addresses is not followed, and such layers may not be passed on. Use an image whose layers are all in the registry.',
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
    .map(({ digest, mediaType }) => ({ message: `${digest} is ${printable(mediaType)}` }));
  if (problems.length === 0) return;
  throw new LandfallError(
    'IMAGE_MANIFEST',
    `${what} has layers of a kind that engines do not unpack`,
    {
      hint: 'Known are tar, tar with gzip and tar with zstd. Artifacts and encrypted images cannot be run.',
      problems,
    },
  );
}
