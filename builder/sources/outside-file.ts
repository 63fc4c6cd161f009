import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Digest, hexOf } from '#contract/digest.ts';
import { LandfallError } from '#contract/errors.ts';
import type { HttpClient, HttpResponse } from '#http/client.ts';
import { withRetry } from '#http/retry.ts';
import { statusError } from '#http/status.ts';
import type { Downloader } from '../blobs/download.ts';
import type { BlobStore } from '../blobs/store.ts';
import { fileError } from '../files/file-error.ts';
import type { Reporter } from '../report/reporter.ts';
import type { Statistics } from '../report/statistics.ts';
import { npmTarballUrl } from './npm-registry.ts';

/** A file that lies outside, as far as it is known. */
export interface OutsideFile {
  /** Tried in this order; `npm:name@version` is at the npm registry in use. */
  readonly urls: readonly string[];
  /** 64 hex digits. */
  readonly sha256: string;
  /** Bytes, where known. */
  readonly size: number | undefined;
}

/** A file from outside, now in the store. */
export interface StoredFile {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

export interface OutsideParts {
  readonly http: HttpClient;
  readonly downloader: Downloader;
  readonly store: BlobStore;
  readonly reporter: Reporter;
  readonly statistics: Statistics;
  readonly env: NodeJS.ProcessEnv;
}

const mediaType = 'application/octet-stream';
/** No outside file is larger: the largest today, Node's tarball, has 53 MB. */
const maxBytes = 1024 * 1024 * 1024;

/** Brings files that are no images: Node for the server, the Compose plugin. */
export class OutsideFiles {
  readonly #parts: OutsideParts;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  /**
   * Makes sure that a file is in the store, from the first place that has it.
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE and those of the network
   */
  async obtain(file: OutsideFile, label: string): Promise<StoredFile> {
    const { sha256, size } = file;
    if (size === undefined) return this.#obtainUnsized(file.urls, sha256, label);
    const digest: Digest = `sha256:${sha256}`;
    await this.#firstOf(file.urls, async (url) => {
      const { downloader } = this.#parts;
      const descriptor = { mediaType, digest, size };
      await downloader.fetch({ descriptor, label, open: (from) => this.#open(url, from) });
    });
    return { digest, size };
  }

  /**
   * Finds out size and SHA-256 of a file that nobody locked yet, and keeps it in the store.
   * @throws LandfallError BLOB_SIZE and those of the network
   */
  async measure(places: readonly string[]): Promise<{ size: number; sha256: string }> {
    const { digest, size } = await this.#firstOf(places, (url) => this.#keep(url));
    return { size, sha256: hexOf(digest) };
  }

  async #obtainUnsized(
    places: readonly string[],
    sha256: string,
    label: string,
  ): Promise<StoredFile> {
    return this.#firstOf(places, async (url) => {
      const stored = await this.#keep(url);
      if (hexOf(stored.digest) === sha256) return stored;
      throw new LandfallError('BLOB_DIGEST', `${label} does not have the SHA-256 of the lock`, {
        hint: 'The place serves something else than it did. Try a mirror, or ask the project.',
      });
    });
  }

  async #firstOf<T>(places: readonly string[], attempt: (url: URL) => Promise<T>): Promise<T> {
    const { reporter, env } = this.#parts;
    let failure: unknown;
    for (const place of places) {
      try {
        return await attempt(new URL((await npmTarballUrl(place, env)) ?? place));
      } catch (error) {
        if (failure !== undefined) reporter.note(`${place}: ${(error as Error).message}`);
        failure ??= error;
      }
    }
    throw failure;
  }

  async #open(url: URL, from: number): Promise<HttpResponse> {
    const headers = from > 0 ? { range: `bytes=${from}-` } : {};
    const response = await this.#parts.http.request({ url, headers });
    if (response.status === 200 || response.status === 206 || response.status === 416) {
      return response;
    }
    await response.discard();
    throw statusError(response, `fetching ${url.pathname.split('/').at(-1)} from ${url.host}`);
  }

  /** Streams a file of unknown content into the store. */
  async #keep(url: URL): Promise<StoredFile> {
    const { store, reporter, statistics } = this.#parts;
    const folder = join(store.folder, 'partial');
    const temporary = join(folder, `outside-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    try {
      const stored = await withRetry(
        `fetching from ${url.host}`,
        async () => save(await this.#open(url, 0), temporary, statistics),
        { note: (line) => reporter.note(line) },
      );
      await store.adopt(temporary, { mediaType, ...stored });
      return stored;
    } catch (error) {
      throw fileError(error, temporary);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

async function save(
  response: HttpResponse,
  path: string,
  statistics: Statistics,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  const file = await open(path, 'w');
  let size = 0;
  try {
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new LandfallError(
          'BLOB_SIZE',
          `${response.url.host} sends more than ${maxBytes} bytes`,
          {
            hint: 'This is not the file that was asked for. Check the URL.',
          },
        );
      }
      hash.update(chunk);
      await file.write(chunk);
    }
  } finally {
    await file.close();
  }
  statistics.fetched += size;
  statistics.hashed += size;
  statistics.written += size;
  return { digest: `sha256:${hash.digest('hex')}`, size };
}
