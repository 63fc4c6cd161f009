import { type RetryOptions, withRetry } from '#http/retry.ts';
import type { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { PullProgress } from '../host/pull/pull-progress.ts';
import { StallTimeout } from '../host/pull/stall-timeout.ts';
import type { Reporter } from '../stage/reporter.ts';
import { pullLines } from './docker-engine.ts';
import { LayerStates } from './layer-states.ts';

/** What tests do not want to wait for. */
export interface PullPace extends Pick<RetryOptions, 'attempts' | 'sleep'> {
  readonly limits?: StallLimits;
}

/** Milliseconds that nothing may move: while bytes come, and while what came is unpacked. */
interface StallLimits {
  readonly fetching: number;
  readonly unpacking: number;
}

/** Docker's engine itself waits for ever. With some stores it unpacks gigabytes without a word. */
const stallLimits: StallLimits = { fetching: 5 * 60_000, unpacking: 30 * 60_000 };

/** An image to pull. */
interface Pull {
  /** With registry and digest: `docker.io/x/y@sha256:…` */
  readonly reference: string;
  /** Bytes to download, where the release knows them. */
  readonly size: number | null;
  /** What a failed pull means, by what Docker says. */
  readonly failed: (words: string) => TransferError;
  /** The error for a pull in which nothing moves any more. */
  readonly stalled: TransferError;
}

/**
 * Has Docker's engine pull an image, again while it fails for reasons that pass and as long as
 * bytes come. There is no limit on the time in all: a slow line is no failure, one that stands
 * still is.
 * @throws LandfallError ENGINE_UNREACHABLE, and those of the pull
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

/** Layers that came stay with the engine, and the next try needs them no more. */
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
