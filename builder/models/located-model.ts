import type { Descriptor } from '../blobs/blob.ts';
import type { Document } from '../registry/document.ts';

/** A model as it was located for a bundle: its documents at hand, its blobs where `fetch` finds them. */
export interface LocatedModel {
  /** As a person wrote it. */
  readonly name: string;
  readonly manifest: Document;
  /** Documents that no registry has, since they were made here. */
  readonly made: readonly Document[];
  readonly blobs: readonly Descriptor[];
  /** Bytes of configuration and layers, each once. */
  readonly size: number;
  /** Makes sure that one of `blobs` is in the store. */
  readonly fetch: (blob: Descriptor, signal?: AbortSignal) => Promise<void>;
}
