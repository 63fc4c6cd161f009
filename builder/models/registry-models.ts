import { parseModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import type { RegistryClient } from '../registry/client.ts';
import type { Document } from '../registry/document.ts';
import type { ImageReference } from '../registry/reference.ts';
import type { Registries } from '../registry/registries.ts';
import type { LocatedModel } from './located-model.ts';
import { readModelManifest } from './model-manifest.ts';

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
