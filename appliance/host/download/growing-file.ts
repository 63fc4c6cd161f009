import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** A file that comes in pieces, over several tries, and whose digest is known once it is whole. */
export class GrowingFile {
  readonly #file: FileHandle;
  #hash = createHash('sha256');
  #size = 0;
  #most = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Begins with an empty file that nobody else may read. */
  static async create(path: string): Promise<GrowingFile> {
    return new GrowingFile(await open(path, 'w', 0o600));
  }

  /** Bytes that are there. */
  get size(): number {
    return this.#size;
  }

  /** The most bytes that were there at any time: beyond them, a further try has gained something. */
  get most(): number {
    return this.#most;
  }

  /** SHA-256 of what is there, in hex. */
  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  async append(chunk: Uint8Array): Promise<void> {
    await this.#file.write(chunk, 0, chunk.length, this.#size);
    this.#hash.update(chunk);
    this.#size += chunk.length;
    this.#most = Math.max(this.#most, this.#size);
  }

  /** Throws away what is there. */
  async restart(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash('sha256');
    this.#size = 0;
  }

  /** Brings it to the disk. */
  async sync(): Promise<void> {
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
