import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import {
  encodeTarHeader,
  endOfArchive,
  paddingAfter,
  type TarEntry,
} from '#contract/bundle/tar-header.ts';
import type { Digest } from '#contract/trust/digest.ts';
import { fileError } from '../files/file-error.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { SignedHead } from '../sign/sign-release.ts';
import type { Entry } from './entry.ts';

interface BundleContents {
  readonly head: SignedHead;
  readonly entries: readonly Entry[];
  /** mtime of every member, in seconds since 1970. */
  readonly mtime: number;
}

export interface BundleDeps {
  /** Returns the path of a blob once it is in the store and verified. */
  readonly ready: (digest: Digest) => Promise<string>;
  readonly statistics: Statistics;
  readonly onBytes?: (bytes: number) => void;
}

const chunkSize = 1024 * 1024;

/**
 * Writes a bundle: head, files in order, end of archive. Blobs may still be in transfer; each is
 * awaited when it is next, so that disk and network work in parallel. The file gets its final name
 * only when it is complete.
 * @returns the size of the bundle in bytes
 * @throws LandfallError DISK_FULL, FILE_ACCESS and what `ready` throws
 */
export async function writeBundle(
  path: string,
  contents: BundleContents,
  deps: BundleDeps,
): Promise<number> {
  const temporary = `${path}.partial`;
  try {
    const size = await writeTemporary(temporary, contents, deps);
    await rename(temporary, path);
    return size;
  } catch (error) {
    await rm(temporary, { force: true });
    throw fileError(error, path);
  }
}

async function writeTemporary(
  path: string,
  contents: BundleContents,
  deps: BundleDeps,
): Promise<number> {
  const file = await open(path, 'w', 0o644);
  try {
    // Not synced, to save time: a bundle can be built again. One that a power failure corrupted is
    // rebuilt (`up-to-date.ts`) and fails verification.
    return await writeMembers(new TarFile(file, deps), contents, deps);
  } finally {
    await file.close();
  }
}

async function writeMembers(
  tar: TarFile,
  { head, entries, mtime }: BundleContents,
  { ready }: BundleDeps,
): Promise<number> {
  for (const [name, bytes] of head) {
    await tar.bytes({ name, size: bytes.length, mtime, executable: false }, bytes);
  }
  for (const { path: name, size, executable, content } of entries) {
    const member = { name, size, mtime, executable };
    if ('digest' in content) await tar.file(member, await ready(content.digest));
    else await tar.bytes(member, content);
  }
  return tar.end();
}

/** A tar archive that is being written, with a single buffer. */
class TarFile {
  readonly #file: FileHandle;
  readonly #deps: BundleDeps;
  readonly #buffer = Buffer.allocUnsafe(chunkSize);
  #position = 0;

  constructor(file: FileHandle, deps: BundleDeps) {
    this.#file = file;
    this.#deps = deps;
  }

  async bytes(member: TarEntry, content: Uint8Array): Promise<void> {
    const padding = Buffer.alloc(paddingAfter(member.size));
    await this.#write(Buffer.concat([encodeTarHeader(member), content, padding]));
  }

  async file(member: TarEntry, path: string): Promise<void> {
    await this.#write(encodeTarHeader(member));
    const source = await open(path, 'r');
    try {
      for (let rest = member.size; rest > 0; ) {
        const { bytesRead } = await source.read(this.#buffer, 0, Math.min(rest, chunkSize));
        if (bytesRead === 0) throw new Error(`${path} was truncated while it was read`);
        await this.#write(this.#buffer.subarray(0, bytesRead));
        rest -= bytesRead;
      }
    } finally {
      await source.close();
    }
    await this.#write(Buffer.alloc(paddingAfter(member.size)));
  }

  async end(): Promise<number> {
    await this.#write(endOfArchive);
    return this.#position;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done);
      done += bytesWritten;
    }
    this.#position += bytes.length;
    this.#deps.statistics.written += bytes.length;
    this.#deps.onBytes?.(bytes.length);
  }
}
