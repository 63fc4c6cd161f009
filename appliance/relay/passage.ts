import type { AccessEntry, Ending } from './access.ts';

/** nginx's status for a client that left before it was answered; only the log sees it. */
const clientLeft = 499;

/** Why a client's signal is aborted when it takes nothing of its answer. */
export const stalled = new Error('the client takes nothing of its answer');

/**
 * A request's way to its provider and back: what it holds, and how it comes to its end. However that
 * comes about, the connection is cut, the place among the requests of its key is free again and the
 * log has its line, once.
 */
export class Passage {
  readonly #connection = new AbortController();
  readonly #client: AbortSignal;
  readonly #entry: AccessEntry;
  readonly #release: () => void;
  #isOver = false;
  #expired = false;
  #timer: ReturnType<typeof setTimeout>;

  /** @param responseTimeout milliseconds until the answer has to begin */
  constructor(
    client: AbortSignal,
    entry: AccessEntry,
    release: () => void,
    responseTimeout: number,
  ) {
    this.#client = client;
    this.#entry = entry;
    this.#release = release;
    this.#timer = setTimeout(() => {
      this.#expired = true;
      this.cut();
    }, responseTimeout);
    client.addEventListener('abort', this.#leave);
    if (client.aborted) this.#leave();
  }

  /** Aborted when the connection to the provider has to go. */
  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  /** Whether the provider was too slow to begin. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Notes that the answer has begun: from now on the client may take its time. */
  begun(status: number): void {
    clearTimeout(this.#timer);
    this.#entry.head(status);
  }

  count(bytes: number): void {
    this.#entry.count(bytes);
  }

  cut(): void {
    this.#connection.abort();
  }

  /** Gives back what the request held; the log is written by whoever answers instead. */
  over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this.#leave);
    this.#release();
  }

  /** The same, with the answer or what there is of it passed on. */
  end(ending: Ending): void {
    this.over();
    this.#entry.end(ending);
    if (ending !== 'complete') this.cut();
  }

  readonly #leave = () => {
    this.#entry.head(clientLeft);
    this.end(this.#client.reason === stalled ? 'stalled' : 'aborted');
  };
}
