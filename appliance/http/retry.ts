import { setTimeout as pause } from 'node:timers/promises';
import { formatDuration } from '#contract/text/duration.ts';
import { TransferError } from './transfer-error.ts';

/** How often and how patiently to try. */
export interface RetryOptions {
  /** Tries in all; default 5. */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told of every retry, as one line. */
  readonly note?: ((line: string) => void) | undefined;
  /** Waits for some milliseconds, or until the signal is aborted. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Bytes gained so far. Attempts are counted anew after one that brought a good piece. */
  readonly progress?: (() => number) | undefined;
}

const shortest = 100;
const longest = 30_000;
const longestAsked = 120_000;
/** Enough that a server which cuts after every few bytes does not keep a build for ever. */
const goodPiece = 64 * 1024;

/**
 * Runs an attempt again while it fails for reasons that pass, with pauses that grow and vary, and
 * as long as the server asked for where it did (up to two minutes).
 * @throws what the last attempt threw, or the reason of the signal once that is aborted
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
      failures = progress() - before >= goodPiece ? 1 : failures + 1;
      if (!isTransient(error) || failures >= attempts) throw error;
      const delay = delayBefore(failures, error);
      note?.(`${what}: ${error.message}; next try in ${formatDuration(delay)}`);
      await sleep(delay, signal);
    }
  }
}

/** Tells whether an error may pass by itself. Cancellations, refusals and distrust do not. */
export function isTransient(error: unknown): error is TransferError {
  return error instanceof TransferError && error.transient;
}

/** Between half and all of 0.1, 0.4, 1.6, 6.4, 25.6, 30 s: many clients must not return together. */
function delayBefore(failures: number, { retryAfterMs = 0 }: TransferError): number {
  const longestNow = Math.min(longest, shortest * 4 ** (failures - 1));
  const varied = longestNow * (0.5 + Math.random() / 2);
  return Math.min(longestAsked, Math.max(shortest, varied, retryAfterMs));
}

async function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
