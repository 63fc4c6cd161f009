import type { Descriptor } from '../blobs/blob.ts';
import type { Platform } from '../platform.ts';
import type { Document } from '../registry/document.ts';

export type { Document } from '../registry/document.ts';

/** One platform of an image, with every blob that a server needs to run it. */
export interface PlatformImage {
  readonly platform: Platform;
  readonly manifest: Document;
  readonly config: Document;
  readonly layers: readonly Descriptor[];
}

/** An image as its source has it: the index as people pull it, and the platforms asked for. */
export interface ResolvedImage {
  readonly index: Document;
  readonly platforms: readonly PlatformImage[];
}

/**
 * A place that images come from: a registry, an engine, a layout or an archive on disk.
 * Implementations verify what they hand out: documents against their digests, layers in `fetch`.
 */
export interface ImageSource {
  /**
   * Looks the image up and reads its documents.
   * @throws LandfallError IMAGE_…, REGISTRY_…, NETWORK_…, HTTP_…
   */
  resolve(platforms: readonly Platform[]): Promise<ResolvedImage>;

  /**
   * Makes sure that a blob of this image is in the store.
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE and those of `resolve`
   * @throws the reason of the signal when that is aborted
   */
  fetch(blob: Descriptor, signal?: AbortSignal): Promise<void>;
}
