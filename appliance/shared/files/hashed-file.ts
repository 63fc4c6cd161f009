import { createHash } from 'node:crypto';
import { constants, type FileHandle, open } from 'node:fs/promises';

/** Small network chunks are combined into larger ones: fewer writes. */
const chunkBytes = 512 * 1024;

/** Numbers of bytes. */
interface Counts {
  hashed: number;
  written: number;
}

/** A file that is written sequentially and hashed. */
export class HashedFile {
  readonly #file: FileHandle;
  readonly #counts: Counts;
  readonly #buffer = Buffer.allocUnsafeSlow(chunkBytes);
  #filled = 0;
  #hashed = 0;
  #hash = createHash('sha256');
  /** After a failed write, all later ones fail: they would follow a gap with a matching digest. */
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, counts: Counts) {
    this.#file = file;
    this.#counts = counts;
  }

  /** Opens or creates a file. Existing content counts only after `rehash`. */
  static async open(path: string, counts = { hashed: 0, written: 0 }): Promise<HashedFile> {
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
    const file = await open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o644);
    return new HashedFile(file, counts);
  }

  /** Number of bytes that are hashed and written, or queued for it. */
  get length(): number {
    return this.#hashed + this.#filled;
  }

  /** Hashes the existing content, so that writing continues after it. Call it first. */
  async rehash(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await this.#file.read(this.#buffer, 0, chunkBytes, this.#hashed);
      if (bytesRead === 0) return;
      this.#update(this.#buffer.subarray(0, bytesRead));
    }
  }

  /** Appends bytes. @throws the error of the write */
  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.subarray(at, at + chunkBytes - this.#filled);
      this.#buffer.set(slice, this.#filled);
      this.#filled += slice.length;
      at += slice.length;
      if (this.#filled === chunkBytes) await this.#flush();
    }
  }

  /** Truncates the file and starts again. */
  async restart(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash('sha256');
    this.#writing = Promise.resolve();
    this.#filled = 0;
    this.#hashed = 0;
  }

  /** Returns the digest of the whole file after syncing it to disk. Only `restart` and `close` may follow. */
  async finish(): Promise<`sha256:${string}`> {
    await this.#flush();
    await this.#file.datasync();
    return `sha256:${this.#hash.digest('hex')}`;
  }

  /** Writes buffered bytes if possible, and closes the file. Works in any state. */
  async close(): Promise<void> {
    await this.#flush().catch(() => {});
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#filled);
    this.#filled = 0;
    if (bytes.length > 0) {
      this.#writing = this.#writing.then(() => this.#file.appendFile(bytes));
      this.#counts.written += bytes.length;
      this.#update(bytes);
    }
    await this.#writing;
  }

  #update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.#hashed += bytes.length;
    this.#counts.hashed += bytes.length;
  }
}
