import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
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

/** What a manifest says that a model is made of. */
interface ModelManifest {
  /** Configuration and layers in the manifest's order, each once. */
  readonly blobs: readonly Descriptor[];
  /** Bytes of all of them. */
  readonly size: number;
}

/** Models have a handful; those in many tensors are refused for another reason. */
const mostLayers = 8192;

const manifestSchema = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.literal(modelManifestType).optional(),
  config: descriptorSchema,
  layers: z.array(descriptorSchema).min(1, 'must not be empty').max(mostLayers),
});

/**
 * Checks the manifest of a model and takes from it what is to be fetched. The bytes stay as they
 * are: their digest is what the engine shows.
 * @param what the model's name, for messages
 * @throws LandfallError MODEL_MANIFEST; MODEL_FORMAT for a model that no server's engine can run
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
    throw noModel(what, [{ message: `it holds ${found}` }]);
  }
  if (config.size <= maxDocumentBytes) return;
  throw new LandfallError('MODEL_MANIFEST', `the configuration of ${what} is larger than 4 MiB`, {
    hint: 'No model needs that. Check the name.',
  });
}

/** Told when it is locked: the server's engine would refuse it after gigabytes. */
function refuseUnusable(layers: readonly Descriptor[], what: string): void {
  const kinds = new Set(layers.map(({ mediaType }) => mediaType));
  if (kinds.has(tensorType)) {
    throw new LandfallError(
      'MODEL_FORMAT',
      `${what} is in safetensors, which the engine cannot run on a Linux server`,
      { hint: 'Choose a tag of the model that is in GGUF, as nearly all are.' },
    );
  }
  if (kinds.has(weightsType)) return;
  throw new LandfallError('MODEL_FORMAT', `${what} has no weights`, {
    hint: 'Models that run in the cloud of their publisher have none. Choose a tag that can be downloaded.',
  });
}

function noModel(what: string, problems: readonly Problem[]): LandfallError {
  return new LandfallError('MODEL_MANIFEST', `${what} is not a model`, {
    hint: 'Check the name: something else lies under it, such as a container image.',
    problems,
  });
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length > maxDocumentBytes) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
