import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import { readError, readFileChunks } from '../sources/archive-file.ts';
import { type ImportParts, importBlob } from '../sources/import-blob.ts';
import type { OutsideFiles } from '../sources/outside-file.ts';
import { isWebUrl } from './gguf-source.ts';

/** Checksum and size of a GGUF file. */
export interface KnownFile {
  /** 64 hex digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

interface GgufFilesOptions extends ImportParts {
  readonly outside: OutsideFiles;
}

/** Maximum size of a model file, in bytes. */
const largestFile = 2 ** 41;

/** Adds GGUF files to the store, from a URL or from this machine. */
export class GgufFiles {
  readonly #parts: GgufFilesOptions;

  constructor(parts: GgufFilesOptions) {
    this.#parts = parts;
  }

  /**
   * Computes size and SHA-256 of a file and stores it. With a known checksum, an interrupted
   * download can be resumed.
   * @param folder base of relative paths
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE, FILE_MISSING and network errors
   */
  async measure(source: string, sha256: string | undefined, folder: string): Promise<KnownFile> {
    const { outside } = this.#parts;
    if (!isWebUrl(source)) return this.#import(resolve(folder, source), sha256);
    if (sha256 === undefined) return outside.measure([source], { largest: largestFile });
    const size = await outside.sizeOf(source);
    const label = labelOf(source);
    const stored = await outside.obtain({ urls: [source], sha256, size }, label, {
      largest: largestFile,
    });
    return { sha256, size: stored.size };
  }

  /** Ensures that a locked file is in the store. @throws LandfallError as `measure` does */
  async obtain(source: string, { sha256, size }: KnownFile, folder: string): Promise<void> {
    const { outside, store, statistics } = this.#parts;
    const digest: Digest = `sha256:${sha256}`;
    if (await store.has({ mediaType: '', digest, size })) {
      statistics.fromCache += size;
      return;
    }
    if (isWebUrl(source)) {
      await outside.obtain({ urls: [source], sha256, size }, labelOf(source));
    } else await this.#import(resolve(folder, source), sha256);
  }

  async #import(path: string, sha256: string | undefined): Promise<KnownFile> {
    const size = await sizeOfFile(path);
    const digest: Digest | undefined = sha256 === undefined ? undefined : `sha256:${sha256}`;
    const content = readFileChunks(path, 'model');
    const stored = await importBlob(content, { label: path, size, digest }, this.#parts).catch(
      (error: unknown) => {
        throw otherContent(error, path);
      },
    );
    return { sha256: hexOf(stored.digest), size };
  }
}

async function sizeOfFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => {
    throw readError(error, path, 'model');
  });
  if (found.isFile()) return found.size;
  throw new LandfallError('MODEL_FORMAT', `${path} is not a file`, {
    hint: 'Set the path of the GGUF file.',
  });
}

function otherContent(error: unknown, path: string): unknown {
  if (!(error instanceof LandfallError) || error.code !== 'BLOB_DIGEST') return error;
  return new LandfallError('BLOB_DIGEST', `${path} does not have the expected SHA-256`, {
    hint: 'Restore the original file, or correct `sha256` and run `landfall lock --update`.',
    problems: error.problems,
  });
}

function labelOf(source: string): string {
  return new URL(source).pathname.split('/').at(-1) ?? source;
}
