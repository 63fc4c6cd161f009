import { constants, type FileHandle, open } from 'node:fs/promises';
import type { Digest } from '#contract/trust/digest.ts';
import type { Statistics } from '../progress/statistics.ts';
import { startHashJob } from './hash-threads.ts';

/** Small chunks of the network are put together: fewer messages, fewer and larger writes. */
const pieceBytes = 512 * 1024;

/** A file that is written from its start to its end and hashed on the way, by another thread. */
export class HashedFile {
  readonly #file: FileHandle;
  readonly #statistics: Statistics;
  #job = startHashJob();
  /** Two buffers: one is filled while the other is hashed and written. */
  #filling = new ArrayBuffer(pieceBytes);
  #other: Promise<ArrayBuffer> = Promise.resolve(new ArrayBuffer(pieceBytes));
  #filled = 0;
  #given = 0;
  #isEnded = false;

  private constructor(file: FileHandle, statistics: Statistics) {
    this.#file = file;
    this.#statistics = statistics;
  }

  /** Opens a file, and makes it where there is none. What it holds counts once `rehash` has run. */
  static async open(path: string, statistics: Statistics): Promise<HashedFile> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
    return new HashedFile(await open(path, flags, 0o644), statistics);
  }

  /** Bytes that are hashed and written, or about to be. */
  get length(): number {
    return this.#given + this.#filled;
  }

  /** Hashes what the file holds, to go on after it. At the beginning only. */
  async rehash(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const buffer = new Uint8Array(this.#filling);
      const { bytesRead } = await this.#file.read(buffer, 0, pieceBytes, this.#given);
      if (bytesRead === 0) return;
      await this.#give(bytesRead, undefined);
    }
  }

  /** Appends bytes; waits while the thread is behind. @throws the error of an earlier write */
  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + pieceBytes - this.#filled);
      new Uint8Array(this.#filling).set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === pieceBytes) await this.#flush();
    }
  }

  /** Begins again with an empty file. */
  async restart(): Promise<void> {
    this.#other = Promise.resolve(await this.#other);
    this.#job.forget();
    this.#job = startHashJob();
    await this.#file.truncate(0);
    this.#filled = 0;
    this.#given = 0;
    this.#isEnded = false;
  }

  /** The digest of everything, once it is safely on the disk. The end of writing. */
  async finish(): Promise<Digest> {
    await this.#flush();
    await this.#other;
    this.#isEnded = true;
    const hex = await this.#job.digest();
    await this.#file.datasync();
    return `sha256:${hex}`;
  }

  /** Writes what is left and closes the file, in any state. */
  async close(): Promise<void> {
    if (!this.#isEnded) {
      await this.#flush().catch(() => {});
      // The thread must have let go of the file: its number may be another one's in a moment.
      await this.#other.catch(() => {});
      this.#job.forget();
    }
    this.#isEnded = true;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    if (this.#filled === 0) return;
    const length = this.#filled;
    this.#filled = 0;
    this.#statistics.written += length;
    await this.#give(length, { fd: this.#file.fd, position: this.#given });
  }

  /** Gives the filled buffer away and takes the other one, once it is back. */
  async #give(length: number, target: { fd: number; position: number } | undefined): Promise<void> {
    const back = this.#other;
    this.#other = this.#job.piece(this.#filling, length, target);
    // Whoever needs the buffer next learns of the failure; until then it is nobody's.
    this.#other.catch(() => {});
    this.#given += length;
    this.#statistics.hashed += length;
    this.#filling = await back;
  }
}
