import { TransferError } from '#http/transfer-error.ts';
import type { PullProgress } from '../host/pull/pull-progress.ts';
import { StallTimeout } from '../host/pull/stall-timeout.ts';
import { truncated } from '../ollama/exchange.ts';
import type { Reporter } from '../stage/reporter.ts';
import type { OllamaApi } from './ollama-api.ts';
import { pullFailure } from './pull-failure.ts';
import type { PullLine } from './pull-line.ts';
import type { PullSource } from './pull-source.ts';

/** Stall timeouts while bytes are fetched and while Ollama verifies them. Milliseconds. */
export interface StallLimits {
  readonly fetching: number;
  readonly checking: number;
}

/**
 * Ollama itself retries a part that stalls for 30 s, six times. The verification of 40 GB on a slow
 * disk takes minutes without progress lines.
 */
const stallLimits: StallLimits = { fetching: 5 * 60_000, checking: 30 * 60_000 };

/**
 * Makes one attempt at a pull. Ollama keeps downloaded parts, and the next attempt resumes. There is a
 * stall timeout, but no limit on the total time.
 * @throws TransferError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY
 */
export async function pullBlobs(
  ollama: OllamaApi,
  source: PullSource,
  progress: PullProgress,
  report: Pick<Reporter, 'progress'>,
  limits: StallLimits = stallLimits,
): Promise<void> {
  const stall = new StallTimeout();
  const stalled = pullStalled(source);
  let phase: keyof StallLimits = 'fetching';
  let last = '';
  stall.renew(limits[phase], stalled);
  try {
    for await (const line of ollama.pull(source.remote, source.insecure, stall.signal)) {
      if ('error' in line) throw pullFailure(source, line.error);
      const moved = progress.hear(line);
      if (moved || phase !== phaseOf(line)) {
        phase = phaseOf(line);
        stall.renew(limits[phase], stalled);
      }
      if (line.digest !== undefined) report.progress(amountOf(progress));
      last = line.status;
    }
  } finally {
    stall.end();
  }
  if (last === 'success') return;
  throw truncated();
}

function phaseOf({ status }: Exclude<PullLine, { error: string }>): keyof StallLimits {
  return status.startsWith('pulling') ? 'fetching' : 'checking';
}

function amountOf({ done, total }: PullProgress) {
  return { done, total, unit: 'bytes' } as const;
}

function pullStalled({ name, host }: PullSource): TransferError {
  return new TransferError('MODEL_FAILED', `the pull of ${name} from ${host} stalled`, {
    hint: 'Check the route, or set mirrors.models to a mirror. Downloaded parts are kept.',
    transient: true,
  });
}
