import { TransferError } from '#http/transfer-error.ts';
import type { PullProgress } from '../host/pull/pull-progress.ts';
import { StallTimeout } from '../host/pull/stall-timeout.ts';
import { brokenOff } from '../ollama/exchange.ts';
import type { Reporter } from '../stage/reporter.ts';
import type { EngineApi } from './engine-api.ts';
import { pullFailure } from './pull-failure.ts';
import type { PullLine } from './pull-line.ts';
import type { PullSource } from './pull-source.ts';

/** Milliseconds that nothing may move: while bytes come, and while the engine checks them. */
export interface StallLimits {
  readonly fetching: number;
  readonly checking: number;
}

/**
 * The engine cuts a part that stalls after 30 s and tries it six times itself. Checking a model of
 * forty gigabytes on a slow disk takes minutes without a word.
 */
const stallLimits: StallLimits = { fetching: 5 * 60_000, checking: 30 * 60_000 };

/**
 * One try at a pull. What it has fetched stays with the engine, and the next try goes on from there.
 * There is no limit on the time in all: a slow line is no failure, one that stands still is.
 * @throws TransferError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY
 */
export async function pullBlobs(
  engine: EngineApi,
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
    for await (const line of engine.pull(source.remote, source.insecure, stall.signal)) {
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
  throw brokenOff();
}

function phaseOf({ status }: Exclude<PullLine, { error: string }>): keyof StallLimits {
  return status.startsWith('pulling') ? 'fetching' : 'checking';
}

function amountOf({ done, total }: PullProgress) {
  return { done, total, unit: 'bytes' } as const;
}

function pullStalled({ name, host }: PullSource): TransferError {
  return new TransferError('MODEL_FAILED', `the pull of ${name} stands still (from ${host})`, {
    hint: 'Check the route, or name a mirror as mirrors.models. What was fetched is kept.',
    transient: true,
  });
}
