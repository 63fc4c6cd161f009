import { LandfallError } from '#contract/errors.ts';

/** Reads some bytes of a file; fewer only at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

const pieceBytes = 1024 * 1024;

/** Walks through a file of little-endian numbers from its start, a piece of it in memory at a time. */
export class ByteCursor {
  readonly #read: ReadAt;
  readonly #size: number;
  #piece: Buffer = Buffer.alloc(0);
  /** Where the piece begins in the file. */
  #start = 0;
  #position = 0;

  /** @param size bytes of the whole file */
  constructor(read: ReadAt, size: number) {
    this.#read = read;
    this.#size = size;
  }

  /** Bytes from the start of the file. */
  get position(): number {
    return this.#position;
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE();
  }

  /** @throws LandfallError MODEL_FORMAT for one that no file can mean */
  async uint64(): Promise<number> {
    const number = (await this.bytes(8)).readBigUInt64LE();
    if (number <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(number);
    throw damaged('it has a number that makes no sense');
  }

  /** Bytes that are at hand until the next call. @throws LandfallError MODEL_FORMAT past the end */
  async bytes(count: number): Promise<Buffer> {
    const at = this.#position - this.#start;
    if (at < 0 || at + count > this.#piece.length) await this.#load(count);
    const from = this.#position - this.#start;
    this.skip(count);
    return this.#piece.subarray(from, from + count);
  }

  /** @throws LandfallError MODEL_FORMAT past the end */
  skip(count: number): void {
    if (count > this.#size - this.#position) throw damaged('it ends too early');
    this.#position += count;
  }

  async #load(count: number): Promise<void> {
    this.#piece = await this.#read(this.#position, Math.max(count, pieceBytes));
    this.#start = this.#position;
    if (this.#piece.length < count) throw damaged('it ends too early');
  }
}

/** The refusal of a file that is not what its header says. */
export function damaged(found: string): LandfallError {
  return new LandfallError('MODEL_FORMAT', `the GGUF file is damaged: ${found}`, {
    hint: 'Fetch it again from its publisher.',
  });
}
