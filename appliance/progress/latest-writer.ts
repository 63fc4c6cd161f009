/**
 * Writes a frequently changing value with a minimum pause between writes. Intermediate values may be
 * skipped; the last one is always written. Write errors are ignored, because a failed report must not
 * stop the setup.
 */
export class LatestWriter<Value> {
  readonly #write: (value: Value) => Promise<void>;
  readonly #pauseMs: number;
  #next: { readonly value: Value } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (value: Value) => Promise<void>, pauseMs: number) {
    this.#write = write;
    this.#pauseMs = pauseMs;
  }

  /** Schedules a write. A newer value replaces a scheduled one. */
  offer(value: Value): void {
    this.#next = { value };
    // The timer does not keep the process alive, so callers must flush before they exit.
    this.#timer ??= setTimeout(() => void this.flush(), this.#pauseMs).unref();
  }

  /** Writes the newest value immediately. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const next = this.#next;
      this.#next = undefined;
      if (next) await this.#write(next.value).catch(() => {});
    });
    await this.#writing;
  }
}
