import { parseModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import type { RegistryClient } from '../registry/client.ts';
import type { Document } from '../registry/document.ts';
import type { ImageReference } from '../registry/reference.ts';
import type { Registries } from '../registry/registries.ts';
import type { LocatedModel } from './located-model.ts';
import { readModelManifest } from './model-manifest.ts';

/** A model as a lock freezes it. */
interface ResolvedModel {
  /** Digest of the manifest's bytes. */
  readonly manifest: Digest;
  /** Bytes of configuration and layers, each once. */
  readonly size: number;
}

/**
 * Models in Ollama's registry, or any that speaks like it. It knows a subset of the registry
 * protocol of images (GET of a manifest by tag, blobs behind a redirect), so that mirrors, routes,
 * retries and the store serve models as they serve images.
 */
export class RegistryModels {
  readonly #registries: Registries;

  constructor(registries: Registries) {
    this.#registries = registries;
  }

  /**
   * What a name stands for now, or the locked model where its digest is known.
   * @throws LandfallError MODEL_NOT_FOUND, MODEL_MANIFEST, MODEL_FORMAT, REGISTRY_…, HTTP_…, NETWORK_…;
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
   * The locked model: from the store, from behind its tag, or by its digest where the tag has moved
   * and the registry still knows the old one.
   * @throws LandfallError LOCK_DRIFT when none of them has it, and what `resolve` throws
   */
  async locate(name: string, locked: string): Promise<LocatedModel> {
    if (!isDigest(locked)) throw new Error(`${locked} is no digest`);
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
      throw new LandfallError('LOCK_DRIFT', `${name} is no longer what was locked`, {
        hint: `Take the new one with \`landfall lock --update ${name}\`. The old one is in the store of whoever built with it.`,
        problems: error.problems,
        cause: error,
      });
    }
  }

  #at(name: string): { client: RegistryClient; image: ImageReference } {
    const parsed = parseModelName(name);
    if (!parsed) throw new Error(`${name} is no name of a model`);
    const { host: registry, namespace, model, tag } = parsed;
    const image = { registry, repository: `${namespace}/${model}`, tag, digest: undefined };
    return { client: this.#registries.client(registry), image };
  }
}

function isDrift(error: unknown): error is LandfallError {
  return error instanceof LandfallError && error.code === 'LOCK_DRIFT';
}

/** The registry's client speaks of images. */
function ofModel(error: unknown, name: string, host: string): unknown {
  if (!(error instanceof LandfallError)) return error;
  const { code, problems } = error;
  if (code === 'IMAGE_NOT_FOUND') {
    const { cause } = error;
    const isUnreached = cause instanceof LandfallError && cause.code !== code;
    const lacking = isUnreached
      ? `the mirror has no model ${name}, and ${host} cannot be reached`
      : `${host} has no model ${name}`;
    return new LandfallError('MODEL_NOT_FOUND', lacking, {
      hint: isUnreached
        ? 'Check the name and its tag, or name a mirror that has it with --mirror.'
        : 'Check the name and its tag; https://ollama.com/library lists those of Ollama.',
      problems,
      cause: error,
    });
  }
  if (code !== 'IMAGE_MANIFEST') return error;
  return new LandfallError('MODEL_MANIFEST', `${name} is not a model`, {
    hint: 'Check the name, and that nothing on the way answers in place of the registry.',
    problems: [{ message: error.message }, ...problems],
    cause: error,
  });
}
