import { nothing } from './redact/redaction.ts';

const least = 256;

/** Collects chunks without copying again what it has: a sender may send one byte per chunk. */
export class GrowingBytes {
  readonly #expected: number;
  #bytes: Uint8Array = nothing;
  #length = 0;

  /** @param expected bytes for which memory suffices; more may come */
  constructor(expected = Number.POSITIVE_INFINITY) {
    this.#expected = expected;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the bytes of memory in use once a chunk of some length is pushed: up to twice what has arrived. */
  sizeWith(length: number): number {
    const all = this.#length + length;
    if (all <= this.#bytes.length) return this.#bytes.length;
    return Math.max(all, Math.min(this.#expected, Math.max(least, 2 * this.#length)));
  }

  /** Takes a chunk, which must not change: the first one is not copied. */
  push(chunk: Uint8Array): void {
    if (this.#length === 0) {
      this.#bytes = chunk;
      this.#length = chunk.length;
      return;
    }
    const size = this.sizeWith(chunk.length);
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(size);
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length += chunk.length;
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
