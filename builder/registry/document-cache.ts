import { readFile, stat } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { BlobStore } from '../blobs/store.ts';
import { type Document, maxDocumentBytes } from './document.ts';

/** Documents in the blob store. What is asked for by digest need not be fetched twice, ever. */
export class DocumentCache {
  readonly #store: BlobStore;

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** The bytes of a document, checked against its digest; undefined when it is not there. */
  async recall(digest: Digest): Promise<Buffer | undefined> {
    const path = this.#store.path(digest);
    try {
      const found = await stat(path);
      if (!found.isFile() || found.size > maxDocumentBytes) return undefined;
      const bytes = await readFile(path);
      return digestOf(bytes) === digest ? bytes : undefined;
    } catch {
      // Not there or not readable: it is fetched, and writing it will tell what is wrong.
      return undefined;
    }
  }

  /**
   * The bytes of a document that has to be there.
   * @throws LandfallError BLOB_DIGEST
   */
  async read(digest: Digest): Promise<Buffer> {
    const bytes = await this.recall(digest);
    if (bytes) return bytes;
    throw new LandfallError('BLOB_DIGEST', `the cache holds a damaged copy of ${digest}`, {
      hint: `Remove it: rm ${this.#store.path(digest)}`,
    });
  }

  /** Keeps a document for the next time. */
  async keep({ bytes, descriptor }: Document): Promise<Descriptor> {
    return this.#store.put(bytes, descriptor.mediaType);
  }
}
