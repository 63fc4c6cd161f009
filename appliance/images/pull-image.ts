import { type RetryOptions, withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { PullProgress } from '../host/pull/pull-progress.ts';
import { StallTimeout } from '../host/pull/stall-timeout.ts';
import type { Reporter } from '../stage/reporter.ts';
import { pullLines } from './docker-engine.ts';
import { LayerStates } from './layer-states.ts';
import { pullFailure } from './pull-failure.ts';

/** What tests do not want to wait for. */
export interface PullPace extends Pick<RetryOptions, 'attempts' | 'sleep'> {
  readonly limits?: StallLimits;
}

/** Milliseconds that nothing may move: while bytes come, and while what came is unpacked. */
export interface StallLimits {
  readonly fetching: number;
  readonly unpacking: number;
}

/** Docker's engine itself waits for ever. With some stores it unpacks gigabytes without a word. */
const stallLimits: StallLimits = { fetching: 5 * 60_000, unpacking: 30 * 60_000 };

/**
 * Has Docker's engine pull an image, again while it fails for reasons that pass and as long as
 * bytes come. There is no limit on the time in all: a slow line is no failure, one that stands
 * still is.
 * @param reference with registry and digest: `docker.io/x/y@sha256:…`
 * @param size bytes to download, where the release knows them
 * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, IMAGE_NOT_FOUND,
 *   REGISTRY_AUTH, REGISTRY_RATE_LIMIT, DISK_FULL, ENGINE_UNREACHABLE
 */
export async function pullImage(
  host: Host,
  reference: string,
  size: number | null,
  report: Reporter,
  { limits = stallLimits, ...pace }: PullPace = {},
): Promise<void> {
  const progress = new PullProgress(size);
  report.say(`pulling ${reference}`);
  await host.outside.measure(() =>
    withRetry(`pulling ${reference}`, () => tryOnce(host, reference, progress, report, limits), {
      note: (line) => report.say(line),
      progress: () => progress.most,
      ...pace,
    }),
  );
}

/** Layers that came stay with the engine, and the next try needs them no more. */
async function tryOnce(
  host: Host,
  reference: string,
  progress: PullProgress,
  report: Reporter,
  limits: StallLimits,
): Promise<void> {
  const stall = new StallTimeout();
  const layers = new LayerStates();
  const stalled = standsStill(reference);
  stall.renew(limits.fetching, stalled);
  try {
    for await (const line of pullLines(host, reference, stall.signal)) {
      if ('error' in line) throw pullFailure(reference, line.error);
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

function standsStill(reference: string): TransferError {
  return new TransferError('NETWORK_TIMEOUT', `the pull of ${reference} stands still`, {
    hint: 'Check the route, or name a mirror of its registry as mirrors.registries in the site.',
    transient: true,
  });
}
