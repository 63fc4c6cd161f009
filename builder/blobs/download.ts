import { isNetworkError, LandfallError } from '#contract/errors.ts';
import { isTransient } from '#http/retry.ts';
import { Scheduler } from '#http/schedule.ts';
import { diskError } from './disk-errors.ts';
import type { Download, DownloaderOptions } from './downloader-options.ts';
import { HashedFile } from './hashed-file.ts';
import { Transfer } from './transfer.ts';
import { untilAborted } from './until-aborted.ts';

interface Flight {
  readonly landed: Promise<void>;
  readonly host: string | undefined;
}

/**
 * Ensures that a blob is in the store. Checks the cache with stat, shares one download per blob,
 * resumes with Range after a lost connection or a killed build, and hashes while writing.
 */
export class Downloader {
  readonly #parts: DownloaderOptions;
  readonly #scheduler: Scheduler;
  readonly #flights = new Map<string, Flight>();

  constructor(parts: DownloaderOptions) {
    this.#parts = parts;
    this.#scheduler = new Scheduler({ overall: parts.concurrency ?? 12, perHost: 4 });
  }

  /**
   * Returns once the blob is in the store, complete and verified.
   * @throws LandfallError BLOB_DIGEST, BLOB_SIZE, DISK_FULL, FILE_ACCESS, HTTP_STATUS and the
   * errors of `open`
   * @throws the abort reason of the signal
   */
  async fetch(download: Download, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const key = `${download.descriptor.digest} ${download.descriptor.size}`;
    const flight = this.#flights.get(key);
    if (flight === undefined) return this.#begin(key, download, signal);
    try {
      await untilAborted(flight.landed, signal);
    } catch (error) {
      if (signal?.aborted === true || concernsAll(error, flight.host, download.host)) throw error;
      return this.fetch(download, signal);
    }
  }

  async #begin(key: string, download: Download, signal: AbortSignal | undefined): Promise<void> {
    const landed = this.#land(download, signal);
    this.#flights.set(key, { landed, host: download.host });
    try {
      await landed;
    } catch (error) {
      // A failed download is removed so that it can be retried. A finished one stays: counted once.
      this.#flights.delete(key);
      throw error;
    }
  }

  async #land(download: Download, signal: AbortSignal | undefined): Promise<void> {
    const { store, statistics } = this.#parts;
    const { descriptor, host } = download;
    if (await store.has(descriptor)) {
      statistics.fromCache += descriptor.size;
      return;
    }
    const permit = await this.#scheduler.acquire({ host, bytes: descriptor.size }, signal);
    try {
      await fetchBlob({ download, parts: this.#parts, signal, onReceived: permit.release });
    } finally {
      permit.release();
    }
  }
}

/**
 * Returns whether the failure of a shared download also applies to the callers that waited for it.
 * An abort, a rejected login or wrong bytes do not apply: those callers retry on their own.
 */
function concernsAll(error: unknown, failed: string | undefined, own: string | undefined): boolean {
  if (!(error instanceof LandfallError)) return false;
  if (error.code === 'DISK_FULL' || error.code === 'FILE_ACCESS') return true;
  return failed === own && (isTransient(error) || isNetworkError(error));
}

interface BlobFetch {
  readonly download: Download;
  readonly parts: DownloaderOptions;
  readonly signal: AbortSignal | undefined;
  /** Called when all bytes are received and only disk writes remain. */
  readonly onReceived: () => void;
}

/**
 * Fetches one blob into the store. After a failure, keeps the received bytes for the next attempt
 * unless they are known to be wrong.
 */
async function fetchBlob(fetch: BlobFetch): Promise<void> {
  const { descriptor } = fetch.download;
  const { store, statistics } = fetch.parts;
  const partial = await store.claim(descriptor.digest);
  let file: HashedFile | undefined;
  try {
    file = await HashedFile.open(partial.path, statistics);
    await fill(file, fetch);
    await file.close();
    await partial.publish(store.path(descriptor.digest));
  } catch (error) {
    await file?.close().catch(() => {});
    await (isWorthless(error) ? partial.remove() : partial.release()).catch(() => {});
    const needed = descriptor.size - (file?.length ?? 0);
    throw diskError(error, { action: 'write', path: partial.path, needed });
  }
}

async function fill(file: HashedFile, { download, parts, signal, onReceived }: BlobFetch) {
  const { digest, size } = download.descriptor;
  await file.rehash(signal);
  const isResumed = file.length > 0;
  const transfer = new Transfer(download, parts, file, signal);
  try {
    if (file.length > size) await transfer.restart();
    await transfer.receive();
    onReceived();
    if ((await file.finish()) === digest) return;
    if (!isResumed) throw transfer.wrongBytes();
    parts.reporter.note(
      `${download.label}: the partial download of an earlier build is damaged; restarting the download`,
    );
    await transfer.restart();
    await transfer.receive();
    if ((await file.finish()) !== digest) throw transfer.wrongBytes();
  } finally {
    transfer.end();
  }
}

function isWorthless(error: unknown): boolean {
  return (
    error instanceof LandfallError && (error.code === 'BLOB_DIGEST' || error.code === 'BLOB_SIZE')
  );
}
