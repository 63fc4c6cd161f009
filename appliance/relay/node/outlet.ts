import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Writes a response chunk by chunk. Disconnects a client that stops reading. */
export class Outlet {
  readonly outgoing: ServerResponse;
  readonly #stallTimeout: number;
  readonly #giveUp: () => void;
  readonly #gone = new AbortController();

  /** @param stallTimeout milliseconds without progress until `giveUp` is called */
  constructor(outgoing: ServerResponse, stallTimeout: number, giveUp: () => void) {
    this.outgoing = outgoing;
    this.#stallTimeout = stallTimeout;
    this.#giveUp = giveUp;
    outgoing.once('close', () => this.#gone.abort());
    if (outgoing.destroyed) this.#gone.abort();
  }

  /** Calls `act` when the connection closes, or immediately if it is closed. */
  whenGone(act: () => void): void {
    if (this.#gone.signal.aborted) act();
    else this.#gone.signal.addEventListener('abort', act);
  }

  /** Writes a chunk and waits for buffer space. @throws AbortError when the client has disconnected */
  async write(chunk: Uint8Array): Promise<void> {
    if (!this.outgoing.write(chunk)) await this.#until('drain');
  }

  /** Ends the response and flushes it. @throws AbortError when the client has disconnected */
  async end(): Promise<void> {
    this.outgoing.end();
    if (!this.outgoing.writableFinished) await this.#until('finish');
  }

  async #until(event: 'drain' | 'finish'): Promise<void> {
    const timer = setTimeout(this.#giveUp, this.#stallTimeout);
    await once(this.outgoing, event, { signal: this.#gone.signal }).finally(() =>
      clearTimeout(timer),
    );
  }
}
