import type { Platform } from '../../base/platform.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Document } from '../registry/document.ts';

export type { Document } from '../registry/document.ts';

/** One platform of an image, with all blobs that a server needs to run it. */
export interface PlatformImage {
  readonly platform: Platform;
  readonly manifest: Document;
  readonly config: Document;
  readonly layers: readonly Descriptor[];
}

/** A resolved image: its index and the requested platforms. */
export interface ResolvedImage {
  readonly index: Document;
  readonly platforms: readonly PlatformImage[];
}

/**
 * A source of images: a registry, a Docker daemon, a layout or an archive on disk.
 * Implementations verify their output: documents against their digests, layers in `fetch`.
 */
export interface ImageSource {
  /**
   * Resolves the image and reads its documents.
   * @throws LandfallError IMAGE_…, REGISTRY_…, NETWORK_…, HTTP_…
   */
  resolve(platforms: readonly Platform[]): Promise<ResolvedImage>;

  /**
   * Ensures that a blob of this image is in the store.
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE and the errors of `resolve`
   * @throws the abort reason of the signal
   */
  fetch(blob: Descriptor, signal?: AbortSignal): Promise<void>;
}
