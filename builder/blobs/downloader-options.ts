import type { HttpResponse } from '#http/message.ts';
import type { RetryOptions } from '#http/retry.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { Descriptor } from './blob.ts';
import type { BlobStore } from './store.ts';

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

export interface DownloaderOptions {
  readonly store: BlobStore;
  readonly reporter: Reporter;
  readonly statistics: Statistics;
  /** Maximum number of concurrent downloads, of which four per host; default 12. */
  readonly concurrency?: number | undefined;
  /** Waits between attempts; replaced in tests. */
  readonly sleep?: RetryOptions['sleep'];
}
