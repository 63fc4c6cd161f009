import { nothing } from './redact/redaction.ts';

const least = 256;

/** Collects chunks without copying again what it has: a sender may send one byte per chunk. */
export class GrowingBytes {
  #bytes: Uint8Array;
  #length = 0;

  /** @param size bytes that are expected; more may come */
  constructor(size = 0) {
    this.#bytes = size > 0 ? new Uint8Array(size) : nothing;
  }

  get length(): number {
    return this.#length;
  }

  push(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(least, length, 2 * this.#length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  /** Returns what is collected. It is valid until the next call. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns what is collected, in memory of just this size, and starts again. */
  takeExact(): Uint8Array {
    const all = this.take();
    return all.length === all.buffer.byteLength ? all : all.slice();
  }

  /** Returns what is collected and a last chunk, and starts again. */
  take(last: Uint8Array = nothing): Uint8Array {
    if (this.#length === 0) return last;
    this.push(last);
    const all = this.view;
    this.#bytes = nothing;
    this.#length = 0;
    return all;
  }
}
