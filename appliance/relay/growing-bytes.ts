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

const newline = 0x0a;

/** What a chunk completes. */
interface Split {
  /** Complete lines. */
  readonly lines: Uint8Array;
  /** Whether `lines` begins with the end of a line whose beginning was `long`. */
  readonly isInside: boolean;
  /** Bytes of a line that is longer than the maximum, and not complete. */
  readonly long: Uint8Array;
}

/** Splits a stream of lines. Holds each line until it is complete, or longer than a maximum. */
export class LineSplitter {
  readonly #max: number;
  readonly #held = new GrowingBytes();
  #isInside = false;

  /** @param max bytes of a line */
  constructor(max: number) {
    this.#max = max;
  }

  push(chunk: Uint8Array): Split {
    const whole = chunk.lastIndexOf(newline) + 1;
    const isInside = this.#isInside;
    const lines = whole > 0 ? this.#held.take(chunk.subarray(0, whole)) : nothing;
    if (whole > 0) this.#isInside = false;
    const rest = chunk.subarray(whole);
    this.#isInside ||= this.#held.length + rest.length > this.#max;
    if (this.#isInside) return { lines, isInside, long: this.#held.take(rest) };
    this.#held.push(rest);
    return { lines, isInside, long: nothing };
  }

  /** Returns a last line without its end. */
  end(): Split {
    return { lines: this.#held.take(), isInside: this.#isInside, long: nothing };
  }
}
