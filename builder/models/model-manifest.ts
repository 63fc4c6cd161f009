import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { descriptorSchema, toDescriptor } from '../registry/descriptor.ts';
import { maxDocumentBytes, printable } from '../registry/document.ts';
import {
  isModelLayerType,
  modelConfigType,
  modelManifestType,
  tensorType,
  weightsType,
} from './media-types.ts';

/** The blobs of a model according to its manifest. */
interface ModelManifest {
  /** Configuration and layers in the manifest's order, without duplicates. */
  readonly blobs: readonly Descriptor[];
  /** Total size in bytes. */
  readonly size: number;
}

/** Models have only a few. Models with one layer per tensor are rejected for another reason. */
const mostLayers = 8192;

const manifestSchema = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.literal(modelManifestType).optional(),
  config: descriptorSchema,
  layers: z.array(descriptorSchema).min(1, 'must not be empty').max(mostLayers),
});

/**
 * Validates the manifest of a model and returns the blobs to download. The bytes stay verbatim,
 * because Ollama shows their digest.
 * @param what the model's name, for messages
 * @throws LandfallError MODEL_MANIFEST; MODEL_FORMAT for a model that Ollama cannot run on Linux
 */
export function readModelManifest(bytes: Buffer, what: string): ModelManifest {
  const parsed = manifestSchema.safeParse(parseJson(bytes));
  if (!parsed.success) throw noModel(what, schemaProblems(parsed.error.issues));
  const config = toDescriptor(parsed.data.config);
  const layers = parsed.data.layers.map(toDescriptor);
  refuseOtherKinds(config, layers, what);
  refuseUnusable(layers, what);
  const blobs = [...new Map([config, ...layers].map((blob) => [blob.digest, blob])).values()];
  return { blobs, size: blobs.reduce((sum, { size }) => sum + size, 0) };
}

function refuseOtherKinds(config: Descriptor, layers: readonly Descriptor[], what: string): void {
  const strange = layers.find(({ mediaType }) => !isModelLayerType(mediaType));
  if (config.mediaType !== modelConfigType || strange) {
    const found = printable((strange ?? config).mediaType);
    throw noModel(what, [{ message: `it contains ${found}` }]);
  }
  if (config.size <= maxDocumentBytes) return;
  throw new LandfallError('MODEL_MANIFEST', `the configuration of ${what} is larger than 4 MiB`, {
    hint: 'Check the name; no model needs a configuration of this size.',
  });
}

/** Rejects unusable models early; otherwise Ollama rejects them after gigabytes are transferred. */
function refuseUnusable(layers: readonly Descriptor[], what: string): void {
  const kinds = new Set(layers.map(({ mediaType }) => mediaType));
  if (kinds.has(tensorType)) {
    throw new LandfallError(
      'MODEL_FORMAT',
      `${what} is a safetensors model, which Ollama cannot run on Linux`,
      { hint: 'Choose a tag of the model in GGUF format.' },
    );
  }
  if (kinds.has(weightsType)) return;
  throw new LandfallError('MODEL_FORMAT', `${what} has no weights`, {
    hint: 'Choose a tag that can be downloaded; cloud models have no weights.',
  });
}

function noModel(what: string, problems: readonly Problem[]): LandfallError {
  return new LandfallError('MODEL_MANIFEST', `${what} is not a model`, {
    hint: 'Check the name; it refers to something else, such as a container image.',
    problems,
  });
}
