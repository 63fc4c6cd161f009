import type { ServerResponse } from 'node:http';
import type { Body } from '../message.ts';
import { StallTimer } from '../stall-timer.ts';

/** Writes a response chunk by chunk. Disconnects a client that stops reading. */
export class Outlet {
  readonly outgoing: ServerResponse;
  readonly #stall: StallTimer;
  /** Ends a wait. */
  #wake = () => {};

  /** @param stallTimeout milliseconds without progress until `giveUp` is called */
  constructor(outgoing: ServerResponse, stallTimeout: number, giveUp: () => void) {
    this.outgoing = outgoing;
    this.#stall = new StallTimer(stallTimeout, giveUp);
    for (const event of ['drain', 'finish', 'close']) outgoing.on(event, () => this.#wake());
  }

  /**
   * Writes a body and ends the response. Reads a chunk only when the client has taken the previous one.
   * @throws Error when the client has disconnected; what the body throws
   */
  async send(body: Body | string | null): Promise<void> {
    try {
      if (typeof body === 'string') this.outgoing.end(body);
      else {
        if (body) await this.#copy(body);
        this.outgoing.end();
      }
      while (!this.outgoing.writableFinished) await this.#progress();
    } finally {
      this.#stall.close();
    }
  }

  async #copy(body: Body): Promise<void> {
    // The headers of a stream must not wait for its first chunk, but may share its packet.
    const flush = setImmediate(() => this.outgoing.flushHeaders());
    try {
      for await (const chunk of body) if (!this.outgoing.write(chunk)) await this.#progress();
    } finally {
      clearImmediate(flush);
    }
  }

  /** Waits until the client has taken what was written, or has disconnected. */
  async #progress(): Promise<void> {
    if (!this.outgoing.destroyed) {
      this.#stall.begin();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#stall.end();
    }
    if (this.outgoing.destroyed && !this.outgoing.writableFinished)
      throw new Error('the client has disconnected');
  }
}
