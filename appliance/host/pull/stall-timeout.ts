/** Time that runs out unless it is renewed: what moves may take as long as it takes. */
export class StallTimeout {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Aborted, with the reason that was given, once the time has run out. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Begins anew. */
  renew(milliseconds: number, reason: Error): void {
    this.end();
    this.#timer = setTimeout(() => this.#abort.abort(reason), milliseconds);
  }

  /** Stops the clock. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
