import type { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../../server/host/host.ts';
import { type PullAttempt, type PullPace, retryPull } from '../../server/host/pull/retry-pull.ts';
import type { Reporter } from '../../server/stage/reporter.ts';
import { type PullLine, pullLines } from './docker-api.ts';

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
 * Pulls an image through Docker; see {@link retryPull}.
 * @throws LandfallError DOCKER_UNREACHABLE, and those of the pull
 */
export async function keepPulling(
  host: Host,
  { reference, size, failed, stalled }: Pull,
  report: Pick<Reporter, 'say' | 'progress'>,
  pace?: PullPace,
): Promise<void> {
  async function attempt({ signal, progress, renew, show }: PullAttempt) {
    const layers = new LayerStates();
    for await (const line of pullLines(host, reference, failed, signal)) {
      if ('error' in line) throw failed(line.error);
      if (!layers.hear(line)) continue;
      renew(layers.isFetching ? 'fetching' : 'checking');
      const { id = '', status, progressDetail: detail } = line;
      if (status === 'Downloading') {
        progress.hear({ digest: id, total: detail?.total, completed: detail?.current });
      } else if (!downloaded.test(status) || !progress.complete(id)) continue;
      show();
    }
  }
  await host.outside.measure(() =>
    retryPull({ name: reference, size, stalled }, attempt, report, pace),
  );
}

/** A limit that no image reaches; further layers are ignored. */
const maxLayers = 4096;
/** Docker's states of an incomplete layer (moby, `distribution/xfer`). */
const unfetched = /^(?:Pulling fs layer|Waiting|Downloading|Retrying)/;

/** Docker's states after the last byte of a layer. It skips states that follow each other quickly. */
const downloaded = /^(?:Verifying Checksum|Download complete|Extracting|Pull complete)/;

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
