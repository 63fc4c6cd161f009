import type { Digest } from '#contract/trust/digest.ts';
import { hexOf } from '#contract/trust/digest.ts';
import type { BlobPrefetch } from '../blobs/prefetch.ts';
import type { ImageSource, PlatformImage, ResolvedImage } from '../sources/source.ts';
import { blobEntry, type Entry, fileEntry } from './entry.ts';

/** An image for a bundle. Its documents are in memory; `source` fetches its layers. */
export interface LocatedImage {
  readonly component: string;
  readonly index: ResolvedImage['index'];
  readonly image: PlatformImage;
  readonly source: Pick<ImageSource, 'fetch'>;
  /** The base of an assembled image. */
  readonly base?: { readonly reference: string; readonly index: Digest } | undefined;
}

/** Returns the path of a blob in a bundle, as in an OCI image layout. */
function blobPath(digest: Digest): string {
  return `blobs/sha256/${hexOf(digest)}`;
}

/**
 * Returns the blobs of images as entries without duplicates: documents first, then layers, in the
 * order of the components. Starts to prefetch all layers.
 */
export function imageBlobs(
  images: readonly LocatedImage[],
  prefetch: Pick<BlobPrefetch, 'begin'>,
): Entry[] {
  const entries = new Map<Digest, Entry>();
  for (const { index, image } of images) {
    for (const { descriptor, bytes } of [index, image.manifest, image.config]) {
      entries.set(descriptor.digest, fileEntry(blobPath(descriptor.digest), bytes));
    }
  }
  for (const { image, source } of images) {
    for (const layer of image.layers) {
      if (entries.has(layer.digest)) continue;
      entries.set(layer.digest, blobEntry(blobPath(layer.digest), layer));
      prefetch.begin(layer.digest, (signal) => source.fetch(layer, signal));
    }
  }
  return [...entries.values()];
}
