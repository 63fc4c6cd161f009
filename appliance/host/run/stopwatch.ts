/** Sums up durations. Overlapping ones count once. */
export class Stopwatch {
  #running = 0;
  #started = 0;
  #total = 0;

  /** Milliseconds so far. */
  get total(): number {
    return this.#total + (this.#running > 0 ? performance.now() - this.#started : 0);
  }

  /** Measures the duration of the work, whether it succeeds or fails. */
  async measure<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running === 0) this.#started = performance.now();
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#total += performance.now() - this.#started;
    }
  }
}
