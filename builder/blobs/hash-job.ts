import { createHash } from 'node:crypto';
import { write } from 'node:fs';
import { promisify } from 'node:util';
import type { ChunkTarget } from './hash-thread.ts';

/** The hash of one content. */
export interface HashJob {
  /**
   * Takes over a chunk. Returns its buffer once the chunk is hashed and, with a target, written.
   * @throws Error with the `code` of the failed write
   */
  chunk(buffer: ArrayBuffer, length: number, target?: ChunkTarget): Promise<ArrayBuffer>;
  /** Returns the SHA-256 of all chunks in hex and ends the job. */
  digest(): Promise<string>;
  /** Ends the job without a digest. */
  forget(): void;
}

const writeTo = promisify(write);

/** A job that hashes on the main thread, for contents that take less time than starting a thread. */
export class SmallHashJob implements HashJob {
  readonly #hash = createHash('sha256');
  #writing: Promise<void> = Promise.resolve();
  #isEnded = false;

  async chunk(buffer: ArrayBuffer, length: number, target?: ChunkTarget): Promise<ArrayBuffer> {
    if (this.#isEnded) throw new Error('the hashing job has stopped');
    const bytes = new Uint8Array(buffer, 0, length);
    this.#hash.update(bytes);
    // A failed write also rejects all later ones, which would leave a hole in the file.
    this.#writing = this.#writing.then(() => writeAll(bytes, target));
    await this.#writing;
    return buffer;
  }

  async digest(): Promise<string> {
    this.#isEnded = true;
    await this.#writing;
    return this.#hash.digest('hex');
  }

  forget(): void {
    this.#isEnded = true;
  }
}

async function writeAll(bytes: Uint8Array, target: ChunkTarget | undefined): Promise<void> {
  if (target === undefined) return;
  for (let at = 0; at < bytes.length; ) {
    const { fd, position } = target;
    const { bytesWritten } = await writeTo(fd, bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}
