import type { Descriptor } from '../blobs/blob.ts';
import type { Document } from '../registry/document.ts';

/**
 * A model that was located for a bundle: documents in memory, and blobs for `fetch` to download.
 */
export interface LocatedModel {
  /** As the user wrote it. */
  readonly name: string;
  readonly manifest: Document;
  /** Documents that were generated here and are in no registry. */
  readonly made: readonly Document[];
  readonly blobs: readonly Descriptor[];
  /** Total size of configuration and layers in bytes, without duplicates. */
  readonly size: number;
  /** Ensures that one of `blobs` is in the store. */
  readonly fetch: (blob: Descriptor, signal?: AbortSignal) => Promise<void>;
}
