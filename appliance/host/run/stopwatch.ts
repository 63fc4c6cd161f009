/** Adds up how long something was going on; overlapping times count once. */
export class Stopwatch {
  #running = 0;
  #started = 0;
  #total = 0;

  /** Milliseconds so far. */
  get total(): number {
    return this.#total + (this.#running > 0 ? performance.now() - this.#started : 0);
  }

  /** Counts the time until the work has ended, well or not. */
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
