import { digestOf } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Document } from '../registry/document.ts';
import type { GgufModel } from './gguf/describe-gguf.ts';
import type { LocatedModel } from './located-model.ts';
import {
  modelConfigType,
  modelManifestType,
  paramsType,
  templateType,
  weightsType,
} from './media-types.ts';

/** The input for a model that is built from a GGUF file. */
export interface GgufInput {
  readonly name: string;
  readonly gguf: GgufModel;
  /** The weights file, which is in the store. */
  readonly weights: Omit<Descriptor, 'mediaType'>;
  /** The prompt template; without one the model completes plain text. */
  readonly template?: string | undefined;
}

/**
 * Limits the length of answers. Without a limit, Ollama generates up to ten contexts of tokens
 * (`llm/llama_server.go`, `boundedNumPredict`), which takes an hour without a GPU. The value is
 * Ollama's smallest default context; a request can override it.
 */
const defaultParams = { num_predict: 4096 };

/**
 * Builds a model from a GGUF file as `ollama create` does: a configuration, an optional template,
 * default options and a manifest. The output is deterministic. Ollama displays the configuration
 * and runs the file according to its header.
 */
export function ggufModel({ name, gguf, weights, template }: GgufInput): LocatedModel {
  const model = { mediaType: weightsType, digest: weights.digest, size: weights.size };
  const prompt = template === undefined ? [] : [document(templateType, Buffer.from(template))];
  const options = document(paramsType, encode(defaultParams));
  const added = [...prompt, options];
  const layers = [model, ...added.map(({ descriptor }) => descriptor)];
  const config = document(modelConfigType, encode(configOf(gguf, layers)));
  const manifest = document(
    modelManifestType,
    encode({ schemaVersion: 2, mediaType: modelManifestType, config: config.descriptor, layers }),
  );
  const made = [config, ...added];
  const size = [model, ...made.map(({ descriptor }) => descriptor)].reduce(
    (sum, each) => sum + each.size,
    0,
  );
  return { name, manifest, made, blobs: [model], size, fetch: async () => {} };
}

/** Ollama writes `amd64` on every architecture: models are portable. */
function configOf(
  { architecture, fileType, parameters }: GgufModel,
  layers: readonly Descriptor[],
): object {
  return {
    model_format: 'gguf',
    model_family: architecture,
    model_families: [architecture],
    model_type: parameters,
    file_type: fileType,
    architecture: 'amd64',
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
  };
}

function document(mediaType: string, bytes: Buffer): Document {
  return { bytes, descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length } };
}

/** Encodes on one line in the order of the fields above: the digest depends on every byte. */
function encode(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
