import { setTimeout as pause } from 'node:timers/promises';
import { formatDuration } from '#contract/text/amount.ts';
import { TransferError } from './transfer-error.ts';

/** Number of attempts and delays. */
export interface RetryOptions {
  /** Maximum number of attempts; default 5. */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives one line per retry. */
  readonly note?: ((line: string) => void) | undefined;
  /** Waits for a number of milliseconds, or until the signal is aborted. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Returns the bytes transferred so far. Enough progress resets the count of attempts. */
  readonly progress?: (() => number) | undefined;
}

const minDelay = 100;
const maxDelay = 30_000;
const maxAsked = 120_000;
/** Large enough that a server which disconnects after a few bytes cannot block a build forever. */
const enoughProgress = 64 * 1024;

/**
 * Retries an attempt after transient errors with exponential backoff and jitter. Respects the
 * server's Retry-After up to two minutes.
 * @throws the error of the last attempt, or the abort reason of the signal
 */
export async function withRetry<T>(
  what: string,
  attempt: () => Promise<T>,
  { attempts = 5, signal, note, sleep = pauseFor, progress = () => 0 }: RetryOptions = {},
): Promise<T> {
  let failures = 0;
  for (;;) {
    const before = progress();
    try {
      signal?.throwIfAborted();
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      failures = progress() - before >= enoughProgress ? 1 : failures + 1;
      if (!isTransient(error) || failures >= attempts) throw error;
      const delay = delayBefore(failures, error);
      note?.(`${what}: ${error.message}; retrying in ${formatDuration(delay)}`);
      await sleep(delay, signal);
    }
  }
}

/** Returns whether an error is transient. Aborts, rejections and trust failures are not. */
export function isTransient(error: unknown): error is TransferError {
  return error instanceof TransferError && error.transient;
}

/** Returns 50 to 100 % of 0.1, 0.4, 1.6, 6.4, 25.6, 30 s. The jitter spreads clients. */
function delayBefore(failures: number, { retryAfterMs = 0 }: TransferError): number {
  const maxNow = Math.min(maxDelay, minDelay * 4 ** (failures - 1));
  const varied = maxNow * (0.5 + Math.random() / 2);
  return Math.min(maxAsked, Math.max(minDelay, varied, retryAfterMs));
}

async function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
