import { type FileHandle, open, rename, rm, unlink } from 'node:fs/promises';
import { partName } from '#contract/bundle/release-name.ts';
import { filesOfBundle, partialSuffix } from '../parts.ts';

/** The files of a bundle that is being written: one file or parts, with temporary names. */
export class OutputFiles {
  readonly #path: string;
  readonly #partSize: number;
  readonly #paths: string[] = [];
  #file: FileHandle | undefined;
  #written = 0;

  /**
   * @param path final path of the whole file
   * @param partSize bytes of each part except the last; undefined: one file
   */
  constructor(path: string, partSize?: number) {
    this.#path = path;
    this.#partSize = partSize ?? Number.POSITIVE_INFINITY;
  }

  /** Appends bytes. Begins the next file where one is full. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const file = await this.#current();
      const room = this.#partSize - (this.#written % this.#partSize);
      const length = Math.min(bytes.length - done, room);
      const { bytesWritten } = await file.write(bytes, done, length);
      done += bytesWritten;
      this.#written += bytesWritten;
    }
  }

  /**
   * Replaces all files of an earlier bundle, in one file or in parts.
   * @returns the final paths in order
   */
  async complete(): Promise<readonly string[]> {
    await this.#close();
    const temporary = this.#paths.map((path) => path + partialSuffix);
    // When a rename replaces a file, ext4 first writes the new one to the disk (auto_da_alloc,
    // ext4(5)). For a large bundle, this takes longer than the build.
    for (const path of await filesOfBundle(this.#path)) {
      if (!temporary.includes(path)) await unlink(path);
    }
    // The first part last: while it is missing, the bundle does not exist.
    for (const path of this.#paths.toReversed()) await rename(path + partialSuffix, path);
    return this.#paths;
  }

  /** Removes the temporary files, those of interrupted builds too. */
  async discard(): Promise<void> {
    await this.#close();
    const present = await filesOfBundle(this.#path).catch(() => []);
    for (const path of present) {
      if (path.endsWith(partialSuffix)) await rm(path, { force: true });
    }
  }

  async #current(): Promise<FileHandle> {
    if (this.#file && this.#written % this.#partSize > 0) return this.#file;
    await this.#close();
    const isWhole = this.#partSize === Number.POSITIVE_INFINITY;
    const path = isWhole ? this.#path : partName(this.#path, this.#paths.length);
    this.#paths.push(path);
    this.#file = await open(path + partialSuffix, 'w', 0o644);
    return this.#file;
  }

  async #close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}
