import type { Transfer } from './reporter.ts';

/** Measures progress and rate of a transfer, without the time that it waits for other work. */
export class Meter implements Transfer {
  /** Completed bytes, including skipped ones. */
  done = 0;
  /** Transferred bytes. */
  moved = 0;
  readonly #started = performance.now();
  readonly #onEnd: (meter: Meter) => void;
  #waits = 0;
  #waitingSince = 0;
  /** Total waiting time in milliseconds. */
  #waited = 0;

  constructor(onEnd: (meter: Meter) => void) {
    this.#onEnd = onEnd;
  }

  end(): void {
    this.#onEnd(this);
  }

  advance(bytes: number): void {
    this.done += bytes;
    this.moved += bytes;
  }

  skip(bytes: number): void {
    this.done += bytes;
  }

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

  /** Bytes per second. */
  get rate(): number {
    return this.seconds > 0 ? this.moved / this.seconds : 0;
  }
}
