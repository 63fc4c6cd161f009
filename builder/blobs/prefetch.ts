import type { Digest } from '#contract/trust/digest.ts';
import type { BlobStore } from './store.ts';

/**
 * Blobs that were asked for and will be in the store: every fetch begins at once, and whoever
 * needs a blob waits for that one only. The order of the bundle is not the order of the network.
 * Its disposal gives up what is still on its way, so a build that failed does not wait for the rest.
 */
export class BlobPrefetch implements AsyncDisposable {
  readonly #store: BlobStore;
  readonly #abort = new AbortController();
  readonly #pending = new Map<Digest, Promise<void>>();

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** Begins to fetch a blob, once; asking again does nothing. */
  begin(digest: Digest, fetch: (signal: AbortSignal) => Promise<void>): void {
    if (this.#pending.has(digest)) return;
    const flight = fetch(this.#abort.signal);
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.settled();
  }
}
