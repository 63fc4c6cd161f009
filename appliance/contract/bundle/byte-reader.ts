import { refusal } from './refusals.ts';

/**
 * Takes a stream apart into exact pieces, holding no more than one chunk of it in memory. Whatever
 * is announced and does not come is a truncated bundle; an error of the source is not, and passes
 * unchanged.
 */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  #position = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Bytes taken so far. */
  get position(): number {
    return this.#position;
  }

  /**
   * Takes exactly this many bytes into memory: for headers and capped members only. They are a copy,
   * so a source that uses its buffer again cannot change what was judged.
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
   * Yields exactly this many bytes, chunk by chunk, each valid until the next one is asked for. A
   * consumer that stops early leaves the rest to be read by whoever comes next.
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

  /** True when not a single byte is left. */
  async atEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** Closes the source, for readers that have seen enough. How that goes changes no verdict. */
  async close(): Promise<void> {
    try {
      await this.#chunks.return?.();
    } catch {}
  }

  /** The next bytes at hand, at least one and at most so many. */
  async #part(limit: number): Promise<Uint8Array> {
    if (this.#rest.length === 0 && !(await this.#fill())) {
      throw refusal(
        'not-truncated',
        `the bundle ends ${limit} bytes too early, at byte ${this.#position}`,
      );
    }
    const part = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(part.length);
    this.#position += part.length;
    return part;
  }

  /** Makes sure that there is a byte at hand; false at the end of the source. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#nextChunk();
      if (next.done) return false;
      this.#rest = next.value;
    }
    return true;
  }

  /** A source that failed once looks like one that ended, so its error is kept and thrown again. */
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
