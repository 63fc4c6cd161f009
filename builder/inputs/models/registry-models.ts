import { z } from 'zod';
import { parseModelName } from '#contract/bundle/model-name.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { parseJson, schemaProblems } from '#contract/text/json.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { RegistryClient } from '../registry/client.ts';
import { type Document, maxDocumentBytes, printable } from '../registry/document.ts';
import { descriptorSchema, toDescriptor } from '../registry/image-documents.ts';
import type { ImageReference } from '../registry/reference.ts';
import type { Registries } from '../registry/registries.ts';
import {
  isModelLayerType,
  type LocatedModel,
  modelConfigType,
  modelManifestType,
  tensorType,
  weightsType,
} from './model.ts';

/** The locked data of a model. */
interface ResolvedModel {
  /** Digest of the manifest's bytes. */
  readonly manifest: Digest;
  /** Total size of configuration and layers in bytes, without duplicates. */
  readonly size: number;
}

/**
 * Models in Ollama's registry or a compatible one. It implements a subset of the registry protocol
 * (GET of a manifest by tag, blobs behind a redirect), so mirrors, routes, retries and the store
 * work as for images.
 */
export class RegistryModels {
  readonly #registries: Registries;

  constructor(registries: Registries) {
    this.#registries = registries;
  }

  /**
   * Resolves a name to its current model, or to the locked one if its digest is known.
   * @throws LandfallError MODEL_NOT_FOUND, MODEL_MANIFEST, MODEL_FORMAT, REGISTRY_…, HTTP_…,
   * NETWORK_…;
   * LOCK_DRIFT as `locate` does
   */
  async resolve(name: string, locked?: string): Promise<ResolvedModel> {
    if (locked !== undefined) {
      const { manifest, size } = await this.locate(name, locked);
      return { manifest: manifest.descriptor.digest, size };
    }
    const { client, image } = this.#at(name);
    const { descriptor, bytes } = await client.document(image).catch((error: unknown) => {
      throw ofModel(error, name, image.registry);
    });
    return { manifest: descriptor.digest, size: readModelManifest(bytes, name).size };
  }

  /**
   * Finds the locked model: in the store, by its tag, or by its digest if the tag has moved and the
   * registry still has the old model.
   * @throws LandfallError LOCK_DRIFT when it is nowhere, and the errors of `resolve`
   */
  async locate(name: string, locked: string): Promise<LocatedModel> {
    if (!isDigest(locked)) throw new Error(`${locked} is not a digest`);
    const manifest = await this.#locked(name, locked);
    const { blobs, size } = readModelManifest(manifest.bytes, name);
    const { client, image } = this.#at(name);
    const fetch: LocatedModel['fetch'] = (blob, signal) =>
      client.fetch('blobs', image, blob, signal);
    return { name, manifest, made: [], blobs, size, fetch };
  }

  async #locked(name: string, digest: Digest): Promise<Document> {
    const { client, image } = this.#at(name);
    try {
      return await client.documentBehindTag(image, digest);
    } catch (error) {
      if (!isDrift(error)) throw ofModel(error, name, image.registry);
      const old = await client.document({ ...image, digest }).catch(() => undefined);
      if (old) return old;
      throw new LandfallError('LOCK_DRIFT', `${name} has changed since it was locked`, {
        hint: `Run \`landfall lock --update ${name}\` to lock the new version, or build on the machine whose store has the old one.`,
        problems: error.problems,
        cause: error,
      });
    }
  }

  #at(name: string): { client: RegistryClient; image: ImageReference } {
    const parsed = parseModelName(name);
    if (!parsed) throw new Error(`${name} is not a model name`);
    const { host: registry, namespace, model, tag } = parsed;
    const image = { registry, repository: `${namespace}/${model}`, tag, digest: undefined };
    return { client: this.#registries.client(registry), image };
  }
}

function isDrift(error: unknown): error is LandfallError {
  return error instanceof LandfallError && error.code === 'LOCK_DRIFT';
}

/** Rewrites an image error of the registry client for a model. */
function ofModel(error: unknown, name: string, host: string): unknown {
  if (!(error instanceof LandfallError)) return error;
  const { code, problems } = error;
  if (code === 'IMAGE_NOT_FOUND') {
    const { cause } = error;
    const isUnreached = cause instanceof LandfallError && cause.code !== code;
    const lacking = isUnreached
      ? `the mirror does not have the model ${name}, and ${host} is unreachable`
      : `${host} does not have the model ${name}`;
    return new LandfallError('MODEL_NOT_FOUND', lacking, {
      hint: isUnreached
        ? 'Check the name and the tag, or set a mirror that has the model with --mirror.'
        : "Check the name and the tag; https://ollama.com/library lists Ollama's models.",
      problems,
      cause: error,
    });
  }
  if (code !== 'IMAGE_MANIFEST') return error;
  return new LandfallError('MODEL_MANIFEST', `${name} is not a model`, {
    hint: 'Check the name, and check the network for a proxy that answers for the registry.',
    problems: [{ message: error.message }, ...problems],
    cause: error,
  });
}

/** The blobs of a model according to its manifest. */
interface ModelManifest {
  /** Configuration and layers in the manifest's order, without duplicates. */
  readonly blobs: readonly Descriptor[];
  /** Total size in bytes. */
  readonly size: number;
}

/** Models have only a few. Models with one layer per tensor are rejected for another reason. */
const maxLayers = 8192;

const manifestSchema = z.object({
  schemaVersion: z.literal(2),
  mediaType: z.literal(modelManifestType).optional(),
  config: descriptorSchema,
  layers: z.array(descriptorSchema).min(1, 'must not be empty').max(maxLayers),
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
  throw noModel(what, [{ message: 'its configuration is larger than 4 MiB' }]);
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
