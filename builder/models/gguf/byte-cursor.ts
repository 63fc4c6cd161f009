import { LandfallError } from '#contract/errors.ts';

/** Reads bytes of a file. Returns fewer only at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const chunkBytes = 1024 * 1024;

/** Reads little-endian values of a file sequentially, with one chunk in memory. */
export class ByteCursor {
  readonly #read: ReadAt;
  readonly #size: number;
  #chunk: Buffer = Buffer.alloc(0);
  /** Offset of the chunk in the file. */
  #start = 0;
  #position = 0;

  /** @param size size of the whole file in bytes */
  constructor(read: ReadAt, size: number) {
    this.#read = read;
    this.#size = size;
  }

  /** Offset from the start of the file, in bytes. */
  get position(): number {
    return this.#position;
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE();
  }

  /** Reads a 64-bit number. @throws LandfallError MODEL_FORMAT above the largest safe integer */
  async uint64(): Promise<number> {
    const number = (await this.bytes(8)).readBigUInt64LE();
    if (number <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(number);
    throw damaged('a number is out of range');
  }

  /**
   * Returns bytes that are valid until the next call. @throws LandfallError MODEL_FORMAT past the
   * end
   */
  async bytes(count: number): Promise<Buffer> {
    const at = this.#position - this.#start;
    if (at < 0 || at + count > this.#chunk.length) await this.#load(count);
    const from = this.#position - this.#start;
    this.skip(count);
    return this.#chunk.subarray(from, from + count);
  }

  /** Skips bytes. @throws LandfallError MODEL_FORMAT past the end */
  skip(count: number): void {
    if (count > this.#size - this.#position) throw damaged('it is truncated');
    this.#position += count;
  }

  async #load(count: number): Promise<void> {
    this.#chunk = await this.#read(this.#position, Math.max(count, chunkBytes));
    this.#start = this.#position;
    if (this.#chunk.length < count) throw damaged('it is truncated');
  }
}

/** Returns the error for a file that contradicts its header. */
export function damaged(found: string): LandfallError {
  return new LandfallError('MODEL_FORMAT', `the GGUF file is damaged: ${found}`, {
    hint: 'Download the file again from its publisher.',
  });
}
