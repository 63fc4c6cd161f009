import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** What a client takes of its answer, piece by piece. Gives up on one that takes nothing. */
export class Outlet {
  readonly outgoing: ServerResponse;
  readonly #stallTimeout: number;
  readonly #giveUp: () => void;
  readonly #gone = new AbortController();

  /** @param stallTimeout milliseconds until `giveUp` is called for a client that takes nothing */
  constructor(outgoing: ServerResponse, stallTimeout: number, giveUp: () => void) {
    this.outgoing = outgoing;
    this.#stallTimeout = stallTimeout;
    this.#giveUp = giveUp;
    outgoing.once('close', () => this.#gone.abort());
    if (outgoing.destroyed) this.#gone.abort();
  }

  /** Acts when the connection has gone, at once where it has already. */
  whenGone(act: () => void): void {
    if (this.#gone.signal.aborted) act();
    else this.#gone.signal.addEventListener('abort', act);
  }

  /** Writes a piece, and waits until there is room for the next. @throws when the client has gone */
  async write(piece: Uint8Array): Promise<void> {
    if (!this.outgoing.write(piece)) await this.#until('drain');
  }

  /** Ends the answer, and waits until the system has all of it. @throws when the client has gone */
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
