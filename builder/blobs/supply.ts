import type { Digest } from '#contract/digest.ts';
import type { BlobStore } from './store.ts';

/**
 * Blobs that were asked for and will be in the store: every fetch begins at once, and whoever
 * needs a blob waits for that one only. The order of the bundle is not the order of the network.
 */
export class BlobSupply {
  readonly #store: BlobStore;
  readonly #pending = new Map<Digest, Promise<void>>();

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** Begins to fetch a blob, once; asking again does nothing. */
  begin(digest: Digest, fetch: () => Promise<void>): void {
    if (this.#pending.has(digest)) return;
    const flight = fetch();
    // The failure is told to whoever awaits the blob; until then it must not count as unhandled.
    flight.catch(() => {});
    this.#pending.set(digest, flight);
  }

  /** Waits for a blob and gives its path in the store; throws what its fetch threw. */
  async ready(digest: Digest): Promise<string> {
    await this.#pending.get(digest);
    return this.#store.path(digest);
  }

  /** Waits until nothing is under way any more, whether it went well or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending.values());
  }
}
