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

/** What a model is made of that no registry has. */
export interface GgufParts {
  readonly name: string;
  readonly gguf: GgufModel;
  /** The file, which is in the store. */
  readonly weights: Omit<Descriptor, 'mediaType'>;
  /** How a conversation becomes a prompt; without one the model completes plain text. */
  readonly template?: string | undefined;
}

/**
 * Bounds an answer that would never end: without a limit, Ollama generates ten contexts of tokens
 * (`llm/llama_server.go`, `boundedNumPredict`), which takes a server without a GPU an hour. The value
 * is Ollama's smallest default context, and a request may name another.
 */
const defaultParams = { num_predict: 4096 };

/**
 * Makes a model of a GGUF file as `ollama create` does: a configuration, a template where there is
 * one, default options, and a manifest, the same bytes for the same file everywhere. Ollama reads
 * from the configuration what it shows, and from the file how to run it.
 */
export function ggufModel({ name, gguf, weights, template }: GgufParts): LocatedModel {
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

/** The engine writes `amd64` on every machine: a model runs on all of them. */
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

/** On one line and in the order of the fields above: the digest depends on every byte. */
function encode(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
