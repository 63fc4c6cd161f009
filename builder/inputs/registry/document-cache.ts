import { LandfallError } from '#contract/errors.ts';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { readRegular } from '#files/open-regular.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { BlobStore } from '../blobs/store.ts';
import { type Document, maxDocumentBytes, tooLarge } from './document.ts';

/** Documents in the blob store. A document with a known digest is fetched only once. */
export class DocumentCache {
  readonly #store: BlobStore;

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** Returns the verified bytes of a document, or undefined when the store does not have it. */
  async recall(digest: Digest): Promise<Buffer | undefined> {
    // An unreadable one is fetched again, and a write failure reports the cause.
    const reading = readRegular(this.#store.path(digest), maxDocumentBytes);
    const bytes = await reading.catch(() => undefined);
    return bytes && digestOf(bytes) === digest ? bytes : undefined;
  }

  /** Returns a document that must be in the store. @throws LandfallError BLOB_DIGEST */
  async read(digest: Digest): Promise<Buffer> {
    const bytes = await this.recall(digest);
    if (bytes) return bytes;
    throw new LandfallError('BLOB_DIGEST', `the cache holds a damaged copy of ${digest}`, {
      hint: `Run \`rm ${this.#store.path(digest)}\`.`,
    });
  }

  /**
   * Returns a document of known digest after `fetch` has stored it.
   * @throws LandfallError IMAGE_MANIFEST for one that is too large; BLOB_DIGEST, and those of `fetch`
   */
  async fetched(
    descriptor: Descriptor,
    image: string,
    fetch: () => Promise<void>,
  ): Promise<Document> {
    if (descriptor.size > maxDocumentBytes) throw tooLarge(`a document of ${image}`);
    await fetch();
    return { descriptor, bytes: await this.read(descriptor.digest) };
  }

  /** Stores a document for later builds. */
  async keep({ bytes, descriptor }: Document): Promise<Descriptor> {
    return this.#store.put(bytes, descriptor.mediaType);
  }
}
