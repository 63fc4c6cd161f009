import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import { readError, readFileChunks } from '../sources/archive-file.ts';
import { type ImportParts, importBlob } from '../sources/import-blob.ts';
import type { OutsideFiles } from '../sources/outside-file.ts';
import { isWebPlace } from './gguf-place.ts';

/** What is known of a GGUF file. */
export interface KnownFile {
  /** 64 hex digits. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

interface GgufFilesParts extends ImportParts {
  readonly outside: OutsideFiles;
}

/** No single file of a model is larger. Bytes. */
const largestFile = 2 ** 41;

/** Brings GGUF files into the store, from a URL or from this machine. */
export class GgufFiles {
  readonly #parts: GgufFilesParts;

  constructor(parts: GgufFilesParts) {
    this.#parts = parts;
  }

  /**
   * Finds out what nobody locked yet, and keeps the file. A checksum that is known makes its
   * download one that can be resumed.
   * @param folder where relative paths start
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE, FILE_MISSING and those of the network
   */
  async measure(place: string, sha256: string | undefined, folder: string): Promise<KnownFile> {
    const { outside } = this.#parts;
    if (!isWebPlace(place)) return this.#import(resolve(folder, place), sha256);
    if (sha256 === undefined) return outside.measure([place], { largest: largestFile });
    const size = await outside.sizeOf(place);
    const label = labelOf(place);
    const stored = await outside.obtain({ urls: [place], sha256, size }, label, {
      largest: largestFile,
    });
    return { sha256, size: stored.size };
  }

  /** Makes sure that a locked file is in the store. @throws LandfallError as `measure` does */
  async obtain(place: string, { sha256, size }: KnownFile, folder: string): Promise<void> {
    const { outside, store, statistics } = this.#parts;
    const digest: Digest = `sha256:${sha256}`;
    if (await store.has({ mediaType: '', digest, size })) {
      statistics.fromCache += size;
      return;
    }
    if (isWebPlace(place)) {
      await outside.obtain({ urls: [place], sha256, size }, labelOf(place));
    } else await this.#import(resolve(folder, place), sha256);
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
    hint: 'Name the GGUF file itself.',
  });
}

function otherContent(error: unknown, path: string): unknown {
  if (!(error instanceof LandfallError) || error.code !== 'BLOB_DIGEST') return error;
  return new LandfallError('BLOB_DIGEST', `${path} does not have the SHA-256 that it should have`, {
    hint: 'The file is damaged or another one. Bring it back, or correct `sha256` and run `landfall lock --update`.',
    problems: error.problems,
  });
}

function labelOf(place: string): string {
  return new URL(place).pathname.split('/').at(-1) ?? place;
}
