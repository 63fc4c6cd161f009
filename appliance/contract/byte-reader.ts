import { refusal } from './refusals.ts';

/**
 * Takes a stream apart into exact pieces, holding no more than one chunk of it in memory.
 * Whatever is announced and does not come is a truncated bundle.
 */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Bytes taken so far. */
  get position(): number {
    return this.#position;
  }

  /**
   * Takes exactly this many bytes into memory: for headers and capped members only.
   * @throws LandfallError BUNDLE_TRUNCATED
   */
  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.stream(size)) parts.push(part);
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size);
  }

  /**
   * Yields exactly this many bytes, chunk by chunk. A consumer that stops early leaves the rest
   * to be read by whoever comes next.
   * @throws LandfallError BUNDLE_TRUNCATED
   */
  async *stream(size: number): AsyncGenerator<Buffer> {
    let missing = size;
    while (missing > 0) {
      if (!(await this.#fill())) {
        throw refusal(
          'not-truncated',
          `the bundle ends ${missing} bytes too early, at byte ${this.#position}`,
        );
      }
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      this.#position += part.length;
      missing -= part.length;
      yield part;
    }
  }

  /** True when not a single byte is left. */
  async atEnd(): Promise<boolean> {
    return !(await this.#fill());
  }

  /** Closes the source, for readers that have seen enough. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Makes sure that there is a byte at hand; false at the end of the source. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return false;
      this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    return true;
  }
}
