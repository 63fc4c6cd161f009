import type { FileHandle } from 'node:fs/promises';
import { refusal } from '#contract/bundle/refusals.ts';
import { maxParts, partName, withoutPart } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#files/file-error.ts';
import { openRegular } from '#files/open-regular.ts';
import type { BundleSource } from './served-bundle.ts';

/** Bytes. */
const chunkSize = 1 << 20;

interface OpenFile {
  readonly handle: FileHandle;
  /** Offset of its first byte in the bundle, and of the byte after its last one. */
  readonly start: number;
  readonly end: number;
}

/** A bundle on this server, in one file or in parts. Others may change it, so all of it is verified. */
export class FileBundle implements BundleSource {
  readonly name: string;
  #files: readonly OpenFile[] = [];
  readonly #buffer = Buffer.allocUnsafe(chunkSize);

  /** @param path absolute; that of the whole file names the parts too, and so does that of a part */
  constructor(path: string) {
    this.name = path;
  }

  async *head(): AsyncGenerator<Uint8Array> {
    const files = await this.#open();
    // The reader of the head keeps chunks.
    for await (const chunk of this.read(0, files.at(-1)?.end ?? 0)) yield Buffer.from(chunk);
  }

  /** @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_TRUNCATED */
  async *read(from: number, size: number): AsyncGenerator<Uint8Array> {
    const files = await this.#open();
    for (let at = from; at < from + size; ) {
      const file = files.find(({ start, end }) => start <= at && at < end);
      const length = Math.min(chunkSize, from + size - at, (file?.end ?? at) - at);
      const bytesRead = file && (await this.#fill(file.handle, length, at - file.start));
      if (!bytesRead) throw refusal('not-truncated', `${this.name} has only ${at} bytes`);
      at += bytesRead;
      yield this.#buffer.subarray(0, bytesRead);
    }
  }

  async close(): Promise<void> {
    const files = this.#files;
    this.#files = [];
    for (const { handle } of files) await handle.close();
  }

  async #fill(handle: FileHandle, length: number, position: number): Promise<number> {
    return (await handle.read(this.#buffer, 0, length, position)).bytesRead;
  }

  async #open(): Promise<readonly OpenFile[]> {
    if (this.#files.length > 0) return this.#files;
    const files: OpenFile[] = [];
    this.#files = files;
    const whole = await openFile(this.name);
    const isPart = withoutPart(this.name) !== this.name;
    if (whole && !isPart) return await added(files, whole);
    await whole?.close();
    for (let index = 0; index < maxParts; index += 1) {
      const part = await openFile(partName(withoutPart(this.name), index));
      if (!part) break;
      await added(files, part);
    }
    if (files.length > 0) return files;
    throw new LandfallError('FILE_MISSING', `${this.name} does not exist`, {
      hint: { en: 'Check the path.', zh: '检查路径。' },
    });
  }
}

async function added(files: OpenFile[], handle: FileHandle): Promise<readonly OpenFile[]> {
  const start = files.at(-1)?.end ?? 0;
  files.push({ handle, start, end: start + (await handle.stat()).size });
  return files;
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegular(path);
  } catch (error) {
    throw fileError(error, path);
  }
}
