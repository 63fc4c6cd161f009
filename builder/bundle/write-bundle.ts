import { open } from 'node:fs/promises';
import {
  blockSize,
  encodeTarHeader,
  endOfArchive,
  paddingAfter,
  type TarEntry,
} from '#contract/bundle/tar-header.ts';
import { fileError } from '#files/file-error.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { SignedHead } from '../sign/sign-release.ts';
import type { BundleEntry } from './entry.ts';
import { OutputFiles } from './parts/output-files.ts';
import { partSizeOf } from './parts.ts';

interface BundleContents {
  readonly head: SignedHead;
  readonly entries: readonly BundleEntry[];
  /** mtime of every member, in seconds since 1970. */
  readonly mtime: number;
  /** Maximum size of a file in bytes; a larger bundle is written in parts. */
  readonly maxPartSize?: number | undefined;
}

export interface BundleDeps {
  /** Returns the path of a blob once it is in the store and verified. */
  readonly ready: (digest: Digest) => Promise<string>;
  readonly statistics: Statistics;
  readonly onBytes?: (bytes: number) => void;
}

/** The files of a bundle that was written. */
interface WrittenBundle {
  /** The bundle, or its parts in order. */
  readonly paths: readonly string[];
  /** Size of each part except the last, in bytes. Undefined: one file. */
  readonly partSize: number | undefined;
}

/**
 * Writes a bundle: head, files in order, end of archive. Blobs may still be in transfer; each is
 * awaited when it is next, so that disk and network work in parallel. The files get their final names
 * only when the bundle is complete; then they replace those of an earlier bundle.
 * @param path path of the whole file; parts add a number to it
 * @throws LandfallError DISK_FULL, FILE_ACCESS, USAGE for too many parts, and what `ready` throws
 */
export async function writeBundle(
  path: string,
  contents: BundleContents,
  deps: BundleDeps,
): Promise<WrittenBundle> {
  const partSize = partSizeOf(sizeOf(contents), contents.maxPartSize);
  // Not synced, to save time: a bundle can be built again. One that a power failure corrupted is
  // rebuilt (`up-to-date.ts`) and fails verification.
  const output = new OutputFiles(path, partSize);
  try {
    await writeMembers(new TarFile(output, deps), contents, deps);
    return { paths: await output.complete(), partSize };
  } catch (error) {
    await output.discard();
    throw fileError(error, path);
  }
}

/** Returns the size of the bundle in bytes. */
function sizeOf({ head, entries }: BundleContents): number {
  const sizes = [
    ...[...head.values()].map(({ length }) => length),
    ...entries.map(({ size }) => size),
  ];
  const members = sizes.map((size) => blockSize + size + paddingAfter(size));
  return members.reduce((sum, size) => sum + size, endOfArchive.length);
}

async function writeMembers(
  tar: TarFile,
  { head, entries, mtime }: BundleContents,
  { ready }: BundleDeps,
): Promise<void> {
  for (const [name, bytes] of head) {
    await tar.bytes({ name, size: bytes.length, mtime, executable: false }, bytes);
  }
  for (const { path: name, size, executable, content } of entries) {
    const member = { name, size, mtime, executable };
    if ('digest' in content) await tar.file(member, await ready(content.digest));
    else await tar.bytes(member, content);
  }
  await tar.end();
}

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
        const max = Math.min(rest, this.#free);
        const { bytesRead } = await source.read(this.#buffer, this.#filled, max);
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
