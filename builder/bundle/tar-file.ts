import { open } from 'node:fs/promises';
import {
  encodeTarHeader,
  endOfArchive,
  paddingAfter,
  type TarEntry,
} from '#contract/bundle/tar-header.ts';
import type { Statistics } from '../progress/statistics.ts';

interface WriteDeps {
  readonly statistics: Statistics;
  readonly onBytes?: (bytes: number) => void;
}

/** Where an archive is written to. */
interface Output {
  /** Number of bytes until the next file begins, at least one. */
  readonly room: number;
  /** Appends bytes, at most `room`. The buffer may be reused afterwards. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Bytes; a multiple of the size of a page. */
const bufferSize = 1024 * 1024;

/**
 * A tar archive that is being written. All writes but the last of a file fill one buffer, so that they
 * begin and end at whole pages of the file, which saves the kernel work.
 */
export class TarFile {
  readonly #output: Output;
  readonly #deps: WriteDeps;
  readonly #buffer = Buffer.allocUnsafe(bufferSize);
  #filled = 0;
  #position = 0;

  constructor(output: Output, deps: WriteDeps) {
    this.#output = output;
    this.#deps = deps;
  }

  async bytes(member: TarEntry, content: Uint8Array): Promise<void> {
    await this.#append(encodeTarHeader(member));
    await this.#append(content);
    await this.#append(Buffer.alloc(paddingAfter(member.size)));
  }

  async file(member: TarEntry, path: string): Promise<void> {
    await this.#append(encodeTarHeader(member));
    const source = await open(path, 'r');
    try {
      for (let rest = member.size; rest > 0; ) {
        const most = Math.min(rest, this.#free);
        const { bytesRead } = await source.read(this.#buffer, this.#filled, most);
        if (bytesRead === 0) throw new Error(`${path} was truncated while it was read`);
        rest -= bytesRead;
        await this.#add(bytesRead);
      }
    } finally {
      await source.close();
    }
    await this.#append(Buffer.alloc(paddingAfter(member.size)));
  }

  async end(): Promise<number> {
    await this.#append(endOfArchive);
    await this.#flush();
    return this.#position;
  }

  /** Bytes until the buffer or the current file is full. */
  get #free(): number {
    return Math.min(bufferSize, this.#output.room) - this.#filled;
  }

  async #append(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const part = bytes.subarray(done, done + this.#free);
      this.#buffer.set(part, this.#filled);
      done += part.length;
      await this.#add(part.length);
    }
  }

  /** Counts bytes at the end of the buffer, and writes the buffer once it is full. */
  async #add(bytes: number): Promise<void> {
    this.#filled += bytes;
    this.#position += bytes;
    this.#deps.onBytes?.(bytes);
    if (this.#free === 0) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#filled === 0) return;
    await this.#output.write(this.#buffer.subarray(0, this.#filled));
    this.#deps.statistics.written += this.#filled;
    this.#filled = 0;
  }
}
