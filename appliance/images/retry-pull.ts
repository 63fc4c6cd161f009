import { type RetryOptions, withRetry } from '#http/retry.ts';
import type { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { PullProgress, StallTimeout } from '../host/pull/pull-progress.ts';
import type { Reporter } from '../stage/reporter.ts';
import { type PullLine, pullLines } from './docker-api.ts';

/** Timing of a pull; tests shorten it. */
export interface PullPace extends Pick<RetryOptions, 'attempts' | 'sleep'> {
  readonly limits?: StallLimits;
}

/** Stall timeouts while bytes are fetched and while layers are unpacked. Milliseconds. */
interface StallLimits {
  readonly fetching: number;
  readonly unpacking: number;
}

/** Docker has no timeout. With some stores it unpacks gigabytes without reporting progress. */
const stallLimits: StallLimits = { fetching: 5 * 60_000, unpacking: 30 * 60_000 };

/** An image to pull. */
interface Pull {
  /** With registry and digest: `docker.io/x/y@sha256:…` */
  readonly reference: string;
  /** Bytes to download; null if unknown. */
  readonly size: number | null;
  /** Returns the error for a message of Docker. */
  readonly failed: (words: string) => TransferError;
  /** The error for a pull without progress. */
  readonly stalled: TransferError;
}

/**
 * Pulls an image through Docker. Retries temporary errors, and continues as long as bytes arrive.
 * There is a stall timeout, but no limit on the total time.
 * @throws LandfallError DOCKER_UNREACHABLE, and those of the pull
 */
export async function keepPulling(
  host: Host,
  pull: Pull,
  report: Pick<Reporter, 'say' | 'progress'>,
  { limits = stallLimits, ...pace }: PullPace = {},
): Promise<void> {
  const progress = new PullProgress(pull.size);
  const attempt = () => tryOnce(host, pull, progress, report, limits);
  await host.outside.measure(() =>
    withRetry(`pulling ${pull.reference}`, attempt, {
      note: (line) => report.say(line),
      progress: () => progress.most,
      ...pace,
    }),
  );
}

/** Makes one attempt. Docker keeps complete layers for the next one. */
async function tryOnce(
  host: Host,
  { reference, failed, stalled }: Pull,
  progress: PullProgress,
  report: Pick<Reporter, 'progress'>,
  limits: StallLimits,
): Promise<void> {
  const stall = new StallTimeout();
  const layers = new LayerStates();
  stall.renew(limits.fetching, stalled);
  try {
    for await (const line of pullLines(host, reference, failed, stall.signal)) {
      if ('error' in line) throw failed(line.error);
      if (!layers.hear(line)) continue;
      stall.renew(layers.isFetching ? limits.fetching : limits.unpacking, stalled);
      const { id = '', status, progressDetail: detail } = line;
      if (status === 'Downloading') {
        progress.hear({ digest: id, total: detail?.total, completed: detail?.current });
      } else if (status === 'Download complete') progress.complete(id);
      else continue;
      report.progress({ done: progress.done, total: progress.total, unit: 'bytes' });
    }
  } finally {
    stall.end();
  }
}

/** A limit that no image reaches; further layers are ignored. */
const maxLayers = 4096;
/** Docker's states of an incomplete layer (moby, `distribution/xfer`). */
const unfetched = /^(?:Pulling fs layer|Waiting|Downloading|Retrying)/;

/** Docker's states of a complete layer. */
const fetched = /^(?:Already exists|Download complete|Pull complete)/;

/** The last state of each layer, to detect progress: Docker repeats lines during a stall. */
class LayerStates {
  readonly #last = new Map<string, string>();
  readonly #unfetched = new Set<string>();
  #isAnyKnown = false;

  /** Records a line. @returns whether the state changed */
  hear({ id = '', status, progressDetail }: Exclude<PullLine, { error: string }>): boolean {
    if (!this.#last.has(id) && this.#last.size >= maxLayers) return false;
    const state = JSON.stringify([status, progressDetail?.current]);
    if (this.#last.get(id) === state) return false;
    this.#last.set(id, state);
    this.#isAnyKnown ||= unfetched.test(status) || fetched.test(status);
    if (unfetched.test(status)) this.#unfetched.add(id);
    else this.#unfetched.delete(id);
    return true;
  }

  /** Whether bytes are missing, including manifest and configuration before the first layer. */
  get isFetching(): boolean {
    return !this.#isAnyKnown || this.#unfetched.size > 0;
  }
}
