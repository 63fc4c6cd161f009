import type { Work } from './progress-row.ts';

/** Measures progress and rate of work, without the time that it waits for other work. */
export class Meter implements Work {
  readonly label: string | undefined;
  readonly unit: Work['unit'];
  total: number;
  /** What is completed, including what was present before. */
  done: number;
  /** What was completed since the start. */
  moved = 0;
  readonly #started = performance.now();
  readonly #onEnd: (meter: Meter) => void;
  #waits = 0;
  #waitingSince = 0;
  /** Total waiting time in milliseconds. */
  #waited = 0;

  constructor({ label, done, total, unit }: Work, onEnd: (meter: Meter) => void) {
    this.label = label;
    this.done = done;
    this.total = total;
    this.unit = unit;
    this.#onEnd = onEnd;
  }

  /** Removes the row, after success or failure. */
  end(): void {
    this.#onEnd(this);
  }

  /** Adds what was completed since the last call. */
  advance(count: number): void {
    this.done += count;
    this.moved += count;
  }

  /** Adds what was already present. It counts as done, but not for the rate. */
  skip(count: number): void {
    this.done += count;
  }

  /** Waits for other work. Pauses the clock of this work meanwhile. */
  async waitFor<T>(other: Promise<T>): Promise<T> {
    if (this.#waits === 0) this.#waitingSince = performance.now();
    this.#waits += 1;
    try {
      return await other;
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#waited += performance.now() - this.#waitingSince;
    }
  }

  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  /** Elapsed seconds without waiting time. */
  get seconds(): number {
    const until = this.isWaiting ? this.#waitingSince : performance.now();
    return (until - this.#started - this.#waited) / 1000;
  }

  /** Units per second. */
  get rate(): number {
    return this.seconds > 0 ? this.moved / this.seconds : 0;
  }
}
