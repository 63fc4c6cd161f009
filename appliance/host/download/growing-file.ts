import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** A file that is downloaded in chunks over several attempts, with a running SHA-256. */
export class GrowingFile {
  readonly #file: FileHandle;
  #hash = createHash('sha256');
  #size = 0;
  #most = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates an empty file with mode 0600. */
  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(await open(path, 'w', 0o600));
  }

  /** Current size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Largest size so far, in bytes. An attempt that exceeds it has made progress. */
  get most(): number {
    return this.#most;
  }

  /** SHA-256 of the current content, in hex. */
  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  async append(chunk: Uint8Array): Promise<void> {
    await this.#file.write(chunk, 0, chunk.length, this.#size);
    this.#hash.update(chunk);
    this.#size += chunk.length;
    this.#most = Math.max(this.#most, this.#size);
  }

  /** Discards the content. */
  async restart(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash('sha256');
    this.#size = 0;
  }

  /** Flushes the file to disk. */
  async sync(): Promise<void> {
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
