import { refusal } from './refusals.ts';

/**
 * Splits a stream into exact lengths and keeps at most one chunk in memory. A stream that ends
 * early is a truncated bundle. Errors of the source pass unchanged.
 */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #position = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Number of bytes read. */
  get position(): number {
    return this.#position;
  }

  /**
   * Reads exactly this many bytes into memory: for headers and size-limited members only. Returns a
   * copy, so a source that reuses its buffer cannot change verified data.
   * @throws LandfallError BUNDLE_TRUNCATED
   */
  async take(size: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      const part = await this.#part(size - filled);
      bytes.set(part, filled);
      filled += part.length;
    }
    return bytes;
  }

  /**
   * Yields exactly this many bytes in chunks, each valid until the next one. If the consumer stops
   * early, the rest stays unread.
   * @throws LandfallError BUNDLE_TRUNCATED
   */
  async *stream(size: number): AsyncGenerator<Uint8Array> {
    let missing = size;
    while (missing > 0) {
      const part = await this.#part(missing);
      missing -= part.length;
      yield part;
    }
  }

  /** Returns whether the stream has ended. */
  async atEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /**
   * Closes the source before its end. Errors are ignored, because they do not affect the result.
   */
  async close(): Promise<void> {
    try {
      await this.#chunks.return?.();
    } catch {}
  }

  /** Returns the buffered bytes: at least one and at most `limit`. */
  async #part(limit: number): Promise<Uint8Array> {
    if (this.#rest.length === 0 && !(await this.#fill())) {
      throw refusal(
        'not-truncated',
        `the bundle is truncated: ${limit} bytes are missing after byte ${this.#position}`,
      );
    }
    const part = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(part.length);
    this.#position += part.length;
    return part;
  }

  /** Fills the buffer with at least one byte; false at the end of the source. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#nextChunk();
      if (next.done) return false;
      this.#rest = next.value;
    }
    return true;
  }

  /** A failed source looks like an ended one afterwards, so its error is kept and thrown again. */
  async #nextChunk(): Promise<IteratorResult<Uint8Array>> {
    if (this.#failure) throw this.#failure.error;
    try {
      return await this.#chunks.next();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}
