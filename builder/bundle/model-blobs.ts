import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { BlobPrefetch } from '../blobs/prefetch.ts';
import type { LocatedModel } from '../models/located-model.ts';
import { blobEntry, type Entry, fileEntry } from './entry.ts';

/**
 * Returns the blobs of models as entries without duplicates: documents first, then blobs to fetch,
 * in the order of the models. Starts to prefetch the blobs.
 */
export function modelBlobs(
  models: readonly LocatedModel[],
  prefetch: Pick<BlobPrefetch, 'begin'>,
): Entry[] {
  const entries = new Map<Digest, Entry>();
  for (const { manifest, made } of models) {
    for (const { descriptor, bytes } of [manifest, ...made]) {
      entries.set(descriptor.digest, fileEntry(modelBlobPath(descriptor.digest), bytes));
    }
  }
  for (const { blobs, fetch } of models) {
    for (const blob of blobs) {
      if (entries.has(blob.digest)) continue;
      entries.set(blob.digest, blobEntry(modelBlobPath(blob.digest), blob));
      prefetch.begin(blob.digest, (signal) => fetch(blob, signal));
    }
  }
  return [...entries.values()];
}
