import type { Descriptor } from '../blobs/blob.ts';
import type { Platform } from '../platform.ts';
import type { RegistryClient } from '../registry/client.ts';
import { familiar, type ImageReference } from '../registry/reference.ts';
import { resolveImage } from './resolve-image.ts';
import type { ImageSource, ResolvedImage } from './source.ts';

/** An image in a registry. Documents are kept in the store; layers are fetched on demand. */
export class RegistrySource implements ImageSource {
  readonly #client: RegistryClient;
  readonly #image: ImageReference;

  constructor(client: RegistryClient, image: ImageReference) {
    this.#client = client;
    this.#image = image;
  }

  async resolve(platforms: readonly Platform[]): Promise<ResolvedImage> {
    const client = this.#client;
    const image = this.#image;
    return resolveImage(await client.document(image), platforms, {
      name: familiar(image),
      manifest: (descriptor) => client.fetchDocument('manifests', image, descriptor),
      config: (descriptor) => client.fetchDocument('blobs', image, descriptor),
    });
  }

  fetch(blob: Descriptor, signal?: AbortSignal): Promise<void> {
    return this.#client.fetch('blobs', this.#image, blob, signal);
  }
}
