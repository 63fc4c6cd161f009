import type { Digest } from '#contract/trust/digest.ts';
import type { BlobStore } from './store.ts';

/**
 * Starts the download of every requested blob at once; consumers wait only for the blob they need.
 * The order of the bundle does not restrict the order of downloads. Disposal aborts downloads that
 * are still running, so a failed build does not wait for them.
 */
export class BlobPrefetch implements AsyncDisposable {
  readonly #store: BlobStore;
  readonly #abort = new AbortController();
  readonly #pending = new Map<Digest, Promise<void>>();

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** Starts to fetch a blob. Repeated calls for the same digest have no effect. */
  begin(digest: Digest, fetch: (signal: AbortSignal) => Promise<void>): void {
    if (this.#pending.has(digest)) return;
    const flight = fetch(this.#abort.signal);
    // `ready` reports the failure; this handler prevents an unhandled rejection until then.
    flight.catch(() => {});
    this.#pending.set(digest, flight);
  }

  /** Waits for a blob and returns its path in the store. @throws the error of its fetch */
  async ready(digest: Digest): Promise<string> {
    await this.#pending.get(digest);
    return this.#store.path(digest);
  }

  /** Waits until all downloads have finished or failed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending.values());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.settled();
  }
}
