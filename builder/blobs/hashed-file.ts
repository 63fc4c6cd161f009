import { constants, type FileHandle, open } from 'node:fs/promises';
import type { Digest } from '#contract/trust/digest.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { HashJob } from './hash-job.ts';
import { startHashJob } from './hash-threads.ts';

/** Small network chunks are combined into larger ones: fewer messages and fewer writes. */
const chunkBytes = 512 * 1024;

/** A file that is written sequentially and hashed, on another thread if it is large. */
export class HashedFile {
  readonly #file: FileHandle;
  readonly #statistics: Statistics;
  readonly #size: number | undefined;
  #job: HashJob;
  /** Two buffers: one is filled while the other is hashed and written. */
  #filling = new ArrayBuffer(chunkBytes);
  #other: Promise<ArrayBuffer> = Promise.resolve(new ArrayBuffer(chunkBytes));
  #filled = 0;
  #given = 0;
  #isEnded = false;

  private constructor(file: FileHandle, statistics: Statistics, size: number | undefined) {
    this.#file = file;
    this.#statistics = statistics;
    this.#size = size;
    this.#job = startHashJob(size);
  }

  /**
   * Opens or creates a file. Existing content counts only after `rehash`.
   * @param size expected bytes
   */
  static async open(path: string, statistics: Statistics, size?: number): Promise<HashedFile> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
    return new HashedFile(await open(path, flags, 0o644), statistics, size);
  }

  /** Number of bytes that are hashed and written, or queued for it. */
  get length(): number {
    return this.#given + this.#filled;
  }

  /** Hashes the existing content, so that writing continues after it. Call it first. */
  async rehash(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const buffer = new Uint8Array(this.#filling);
      const { bytesRead } = await this.#file.read(buffer, 0, chunkBytes, this.#given);
      if (bytesRead === 0) return;
      await this.#give(bytesRead, undefined);
    }
  }

  /** Appends bytes and waits while the thread is behind. @throws the error of an earlier write */
  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.subarray(at, at + chunkBytes - this.#filled);
      new Uint8Array(this.#filling).set(slice, this.#filled);
      this.#filled += slice.length;
      at += slice.length;
      if (this.#filled === chunkBytes) await this.#flush();
    }
  }

  /** Truncates the file and starts again. */
  async restart(): Promise<void> {
    this.#other = Promise.resolve(await this.#other);
    this.#job.forget();
    this.#job = startHashJob(this.#size);
    await this.#file.truncate(0);
    this.#filled = 0;
    this.#given = 0;
    this.#isEnded = false;
  }

  /** Returns the digest of the whole file after syncing it to disk. No writes may follow. */
  async finish(): Promise<Digest> {
    await this.#flush();
    await this.#other;
    this.#isEnded = true;
    const hex = await this.#job.digest();
    await this.#file.datasync();
    return `sha256:${hex}`;
  }

  /** Flushes buffered bytes and closes the file. Works in any state. */
  async close(): Promise<void> {
    if (!this.#isEnded) {
      await this.#flush().catch(() => {});
      // The thread must finish first: after close, the file descriptor can be reused for another
      // file.
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

  /** Transfers the filled buffer to the thread and waits for the other one. */
  async #give(length: number, target: { fd: number; position: number } | undefined): Promise<void> {
    const back = this.#other;
    this.#other = this.#job.chunk(this.#filling, length, target);
    // The next write reports the failure; this handler prevents an unhandled rejection until then.
    this.#other.catch(() => {});
    this.#given += length;
    this.#statistics.hashed += length;
    this.#filling = await back;
  }
}
