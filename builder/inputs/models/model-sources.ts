import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf, hexOf } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Document } from '../registry/document.ts';
import type { Registries } from '../registry/registries.ts';
import { readError, readFileChunks } from '../sources/archive-file.ts';
import { type ImportParts, importBlob } from '../sources/import-blob.ts';
import type { OutsideFiles } from '../sources/outside-file.ts';
import { describeGguf, type GgufModel } from './gguf/describe-gguf.ts';
import { isWebUrl } from './gguf-source.ts';
import {
  type LocatedModel,
  modelConfigType,
  modelManifestType,
  paramsType,
  templateType,
  weightsType,
} from './model.ts';
import { RegistryModels } from './registry-models.ts';

/** Checksum and size of a GGUF file. */
interface KnownFile {
  /** 64 hex digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

interface ModelSourcesOptions extends ImportParts {
  readonly registries: Registries;
  readonly outside: OutsideFiles;
}

/** A locked GGUF file and the model to build from it. */
interface LockedFile extends KnownFile {
  readonly name: string;
  /** A URL or a path. */
  readonly source: string;
  readonly template?: string | undefined;
}

/** Maximum size of a model file, in bytes. */
const maxFile = 2 ** 41;

/** Sources of models: registries with Ollama's protocol, and GGUF files. */
export class ModelSources {
  readonly registry: RegistryModels;
  readonly #options: ModelSourcesOptions;

  constructor(options: ModelSourcesOptions) {
    this.registry = new RegistryModels(options.registries);
    this.#options = options;
  }

  /**
   * Stores a GGUF file, computes its lock data and checks that it is a model. With a known checksum, an
   * interrupted download can be resumed.
   * @param sha256 64 hex digits, if known
   * @param folder base of relative paths
   * @throws LandfallError as `make` does
   */
  async measure(source: string, sha256: string | undefined, folder: string): Promise<KnownFile> {
    const file = isWebUrl(source)
      ? await this.#download(source, sha256)
      : await this.#import(resolve(folder, source), sha256);
    await describeGguf(this.#options.store.path(`sha256:${file.sha256}`), file.size);
    return file;
  }

  /**
   * Builds a model from a locked GGUF file. Fetches the file first, because the manifest depends on its
   * header.
   * @param folder base of relative paths
   * @throws LandfallError MODEL_FORMAT, BLOB_DIGEST, BLOB_SIZE, FILE_MISSING and network errors
   */
  async make(
    { name, source, sha256, size, template }: LockedFile,
    folder: string,
  ): Promise<LocatedModel> {
    const { outside, store, statistics } = this.#options;
    const digest: Digest = `sha256:${sha256}`;
    if (await store.has({ mediaType: '', digest, size })) statistics.fromCache += size;
    else if (isWebUrl(source)) {
      await outside.obtain({ urls: [source], sha256, size }, labelOf(source));
    } else await this.#import(resolve(folder, source), sha256);
    const gguf = await describeGguf(store.path(digest), size);
    return ggufModel({ name, gguf, weights: { digest, size }, template });
  }

  async #download(source: string, sha256: string | undefined): Promise<KnownFile> {
    const { outside } = this.#options;
    const size = sha256 === undefined ? undefined : await outside.sizeOf(source);
    if (sha256 === undefined || size === undefined) {
      return await outside.measure([source], { sha256, max: maxFile });
    }
    await outside.obtain({ urls: [source], sha256, size }, labelOf(source));
    return { sha256, size };
  }

  async #import(path: string, sha256: string | undefined): Promise<KnownFile> {
    const size = await sizeOfFile(path);
    const digest: Digest | undefined = sha256 === undefined ? undefined : `sha256:${sha256}`;
    const content = readFileChunks(path);
    const file = { label: path, size, digest };
    const stored = await importBlob(content, file, this.#options).catch((error: unknown) => {
      throw otherContent(error, path);
    });
    return { sha256: hexOf(stored.digest), size };
  }
}

async function sizeOfFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    throw readError(error, path);
  });
  if (found.isFile()) return found.size;
  throw new LandfallError('MODEL_FORMAT', `${path} is not a file`, {
    hint: 'Set the path of the GGUF file.',
  });
}

function otherContent(error: unknown, path: string): unknown {
  if (!(error instanceof LandfallError) || error.code !== 'BLOB_DIGEST') return error;
  return new LandfallError('BLOB_DIGEST', `${path} does not have the expected SHA-256`, {
    hint: 'Restore the original file, or correct `sha256` and run `landfall lock --update`.',
    problems: error.problems,
  });
}

function labelOf(source: string): string {
  return new URL(source).pathname.split('/').at(-1) ?? source;
}

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
  const { shape } = gguf;
  return { name, manifest, made, blobs: [model], size, shape, fetch: async () => {} };
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
