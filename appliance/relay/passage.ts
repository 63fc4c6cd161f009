import type { AccessEntry, Ending } from './env.ts';

/** nginx's status for a client that disconnects before the response. Appears in the log only. */
const clientLeft = 499;

/** Abort reason for a client that stops reading. */
export const stalled = new Error('the client stopped reading the response');

/**
 * The lifecycle of a forwarded request and the resources that it holds. However the request ends, the
 * connection is closed, the concurrency slot is released and the log entry is written exactly once.
 */
export class Passage {
  readonly #connection = new AbortController();
  readonly #client: AbortSignal;
  readonly #entry: AccessEntry;
  readonly #release: () => void;
  #isOver = false;
  #expired = false;
  #timer: ReturnType<typeof setTimeout>;

  /** @param responseTimeout milliseconds until the response must start */
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

  /** Aborted when the connection to the provider must close. */
  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  /** Whether it has ended: the client has left, or nothing follows. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the response did not start in time. */
  get expired(): boolean {
    return this.#expired;
  }

  /** Records the start of the response and stops the response timeout. */
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

  /** Releases the resources of the request. Does not write the log entry. */
  over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this.#leave);
    this.#release();
  }

  /** Releases the resources and writes the log entry. */
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
