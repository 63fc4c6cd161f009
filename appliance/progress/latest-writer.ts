/**
 * Writes values that change faster than anybody reads them: at most one write at a time, a pause
 * between two, and always the newest value in the end. A write that fails is dropped, because what
 * is reported must not stop what is done.
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

  /** Takes a value; it is written soon, unless a newer one comes first. */
  offer(value: Value): void {
    this.#next = { value };
    // The timer keeps no program alive: whoever ends it flushes.
    this.#timer ??= setTimeout(() => void this.flush(), this.#pauseMs).unref();
  }

  /** Writes the newest value now; resolves when it is there. */
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
