/** A timeout that is renewed by progress. The total duration is not limited. */
export class StallTimeout {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Aborted with the given reason when the timeout expires. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Restarts the timeout. */
  renew(milliseconds: number, reason: Error): void {
    this.end();
    this.#timer = setTimeout(() => this.#abort.abort(reason), milliseconds);
  }

  /** Cancels the timeout. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
