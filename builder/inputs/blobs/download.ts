import { isNetworkError, LandfallError } from '#contract/errors.ts';
import { HashedFile } from '#files/hashed-file.ts';
import type { HttpResponse } from '#http/message.ts';
import { bodyLength, openRest } from '#http/resume.ts';
import { isTransient, type RetryOptions, withRetry } from '#http/retry.ts';
import { Scheduler } from '#http/schedule.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Reporter, Transfer } from '../../base/progress/reporter.ts';
import type { Statistics } from '../../base/progress/statistics.ts';
import type { Descriptor } from './blob.ts';
import { diskError } from './disk-errors.ts';
import type { BlobStore } from './store.ts';
import { untilAborted } from './until-aborted.ts';

/** A blob to download if the store does not have it. */
export interface Download {
  readonly descriptor: Descriptor;
  /** Label of the progress row and in messages. */
  readonly label: string;
  /** Host for the per-host limit, if there is one. */
  readonly host?: string | undefined;
  /**
   * Opens the content from this byte on (a Range request when from > 0). Makes one attempt; the
   * downloader retries. May return any status. The body's chunks are consumed and freed.
   */
  readonly open: (from: number) => Promise<HttpResponse>;
}

interface DownloaderOptions {
  readonly store: BlobStore;
  readonly reporter: Reporter;
  readonly statistics: Statistics;
  /** Maximum number of concurrent downloads, of which four per host; default 12. */
  readonly concurrency?: number | undefined;
  /** Waits between attempts; replaced in tests. */
  readonly sleep?: RetryOptions['sleep'];
}

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
    const running = this.#flights.get(key);
    if (running === undefined) {
      const landed = this.#land(download, signal);
      this.#flights.set(key, { landed, host: download.host });
      // A failed download is removed so that it can be retried. A finished one stays: counted once.
      landed.catch(() => this.#flights.delete(key));
      return landed;
    }
    try {
      await untilAborted(running.landed, signal);
    } catch (error) {
      if (signal?.aborted === true || concernsAll(error, running.host, download.host)) throw error;
      return this.fetch(download, signal);
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

function isWorthless(error: unknown): boolean {
  return (
    error instanceof LandfallError && (error.code === 'BLOB_DIGEST' || error.code === 'BLOB_SIZE')
  );
}

async function fill(file: HashedFile, fetch: BlobFetch): Promise<void> {
  const { label, descriptor } = fetch.download;
  await file.rehash(fetch.signal);
  if (file.length > descriptor.size) await file.restart();
  const isResumed = file.length > 0;
  await receive(file, fetch);
  if ((await file.finish()) === descriptor.digest) return;
  if (isResumed) {
    fetch.parts.reporter.note(
      `${label}: the partial download of an earlier build is damaged; restarting the download`,
    );
    await file.restart();
    await receive(file, fetch);
    if ((await file.finish()) === descriptor.digest) return;
  }
  const message = `${label} is corrupt: its digest is not ${descriptor.digest}`;
  throw new LandfallError('BLOB_DIGEST', message, { hint });
}

/** Downloads the missing bytes, over as many connections as necessary. */
async function receive(file: HashedFile, fetch: BlobFetch): Promise<void> {
  const { download, parts, signal, onReceived } = fetch;
  const { label, descriptor } = download;
  const row = parts.reporter.transfer(label, descriptor.size);
  row.skip(file.length);
  try {
    if (file.length < descriptor.size) {
      await withRetry(label, () => attempt(file, fetch, row), {
        ...{ signal, sleep: parts.sleep, progress: () => file.length },
        note: (line) => parts.reporter.note(line),
      });
    }
    onReceived();
  } finally {
    row.end();
  }
}

async function attempt(
  file: HashedFile,
  { download, parts, signal }: BlobFetch,
  row: Transfer,
): Promise<void> {
  const { label, descriptor, open } = download;
  const { size } = descriptor;
  const { response, start } = await openRest(
    (begin) => untilAborted(open(begin), signal, (late) => late.discard()),
    { from: file.length, size, what: label },
  );
  const tooLong = () => {
    const message = `${label} is larger than the expected ${size} bytes`;
    return new LandfallError('BLOB_SIZE', message, { hint });
  };
  if (start + (bodyLength(response) ?? 0) > size) {
    await response.discard();
    throw tooLong();
  }
  const stop = () => void response.discard();
  signal?.addEventListener('abort', stop, { once: true });
  let at = start;
  try {
    for await (const chunk of response.body) {
      parts.statistics.fetched += chunk.length;
      // The server may have restarted the content.
      const news = chunk.subarray(Math.max(0, file.length - at));
      at += chunk.length;
      if (at > size) throw tooLong();
      await file.write(news);
      row.advance(news.length);
      freeNow(chunk);
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  if (file.length >= size) return;
  const message = `${label} ended after ${file.length} of ${size} bytes`;
  throw new TransferError('BLOB_SIZE', message, { hint, transient: true });
}

const hint = 'Try again, or configure another mirror or proxy.';

/**
 * Frees the memory of a chunk immediately. The garbage collector alone runs after some hundred
 * chunks: measured, 50 MB more memory and half the throughput. Skips chunks that share a buffer.
 */
function freeNow({ buffer, byteOffset, byteLength }: Buffer): void {
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength;
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
