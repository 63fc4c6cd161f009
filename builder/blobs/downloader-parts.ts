import type { HttpResponse } from '#http/message.ts';
import type { RetryOptions } from '#http/retry.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { Statistics } from '../progress/statistics.ts';
import type { Descriptor } from './blob.ts';
import type { BlobStore } from './store.ts';

/** A blob that may have to be fetched. */
export interface Download {
  readonly descriptor: Descriptor;
  /** For the progress row and for messages. */
  readonly label: string;
  /** The host whose bound it counts against, where known. */
  readonly host?: string | undefined;
  /**
   * Opens the content from this byte on (a Range request when from > 0). One try: what fails is
   * tried again here. Any status may be given back. The chunks of its body are used up.
   */
  readonly open: (from: number) => Promise<HttpResponse>;
}

export interface DownloaderParts {
  readonly store: BlobStore;
  readonly reporter: Reporter;
  readonly statistics: Statistics;
  /** Downloads at a time; default 12. */
  readonly concurrency?: number | undefined;
  /** Of them from one host; default 4. */
  readonly concurrencyPerHost?: number | undefined;
  /** Waits between tries; for tests. */
  readonly sleep?: RetryOptions['sleep'];
}
