/**
 * Notices that a wait takes too long. Streams wait for each of a thousand chunks, so a wait only stores its
 * time, and one timer looks at it.
 */
export class StallTimer {
  readonly #limit: number;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the wait began; undefined while there is none. */
  #since: number | undefined;
  #isOver = false;

  /**
   * @param limit milliseconds
   * @param act called once, when a wait has reached the limit
   */
  constructor(limit: number, act: () => void) {
    this.#limit = limit;
    this.#act = act;
  }

  /** Whether a wait has reached the limit. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A wait begins. */
  begin(): void {
    this.#since = performance.now();
    this.#timer ??= setTimeout(this.#check, this.#limit);
  }

  /** The wait has ended in time. */
  end(): void {
    this.#since = undefined;
  }

  /** No wait will follow. */
  close(): void {
    this.end();
    clearTimeout(this.#timer);
  }

  readonly #check = () => {
    this.#timer = undefined;
    if (this.#since === undefined) return;
    const left = this.#since + this.#limit - performance.now();
    if (left >= 1) {
      this.#timer = setTimeout(this.#check, left);
      return;
    }
    this.#isOver = true;
    this.#act();
  };
}
