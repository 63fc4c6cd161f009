import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { isTransient, withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';

const transientError = new TransferError('NETWORK_UNREACHABLE', 'the connection was lost', {
  transient: true,
});
const permanentError = new TransferError('NETWORK_TLS', 'untrusted certificate', {
  transient: false,
});

/** Returns a sleep function that returns immediately and records the durations. */
function recordedSleep() {
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
  };
  return { slept, sleep };
}

/** Returns an attempt that fails the given number of times before it succeeds. */
function failing(times: number, error: unknown = transientError) {
  const state = { tries: 0 };
  const attempt = async () => {
    state.tries += 1;
    if (state.tries <= times) throw error;
    return 'done';
  };
  return { state, attempt };
}

describe('a transient failure', () => {
  it('retries a transient failure until it succeeds', async () => {
    const { attempt, state } = failing(3);
    expect(await withRetry('a request', attempt, recordedSleep())).toBe('done');
    expect(state.tries).toBe(4);
  });

  it('throws a transient failure unchanged after five attempts', async () => {
    const { attempt, state } = failing(9);
    await expect(withRetry('a request', attempt, recordedSleep())).rejects.toBe(transientError);
    expect(state.tries).toBe(5);
  });

  it('throws a transient failure after the given number of attempts', async () => {
    const { attempt, state } = failing(9);
    await expect(withRetry('x', attempt, { ...recordedSleep(), attempts: 2 })).rejects.toBe(
      transientError,
    );
    expect(state.tries).toBe(2);
  });

  it('causes growing delays between 0.1 and 30 s, with jitter', async () => {
    const { slept, sleep } = recordedSleep();
    const { attempt } = failing(9);
    await withRetry('a request', attempt, { sleep, attempts: 10 });
    const upper = [100, 400, 1600, 6400, 25_600, 30_000, 30_000, 30_000, 30_000];
    expect(slept).toHaveLength(upper.length);
    for (const [index, most] of upper.entries()) {
      expect(slept[index]).toBeLessThanOrEqual(most);
      expect(slept[index]).toBeGreaterThanOrEqual(Math.max(100, most / 2));
    }
    expect(new Set(slept.slice(5)).size).toBeGreaterThan(1);
  });

  it('reports a transient failure in one line', async () => {
    const lines: string[] = [];
    const { attempt } = failing(1);
    await withRetry('layer 1', attempt, { ...recordedSleep(), note: (line) => lines.push(line) });
    expect(lines).toEqual(['layer 1: the connection was lost; retrying in 0.1 s']);
  });
});

describe('a server that sends Retry-After', () => {
  const asking = (retryAfterMs: number) =>
    new TransferError('REGISTRY_RATE_LIMIT', 'too many', { transient: true, retryAfterMs });

  it.each([
    [7_000, 7_000],
    [600_000, 120_000],
  ])('answers a Retry-After of %i ms with a delay of %i ms', async (asked, given) => {
    const { slept, sleep } = recordedSleep();
    await withRetry('a request', failing(1, asking(asked)).attempt, { sleep });
    expect(slept).toEqual([given]);
  });

  it('waits for a minimum delay after a Retry-After of zero', async () => {
    const { slept, sleep } = recordedSleep();
    await withRetry('a request', failing(1, asking(0)).attempt, { sleep });
    expect(slept[0]).toBeGreaterThanOrEqual(100);
  });
});

describe('progress', () => {
  const piece = 64 * 1024;

  /** Ten failures, each after some bytes. */
  async function tries(bytesEach: number): Promise<number> {
    let bytes = 0;
    let count = 0;
    const attempt = async () => {
      count += 1;
      bytes += bytesEach;
      if (count <= 10) throw transientError;
    };
    const options = { ...recordedSleep(), attempts: 3, progress: () => bytes };
    await withRetry('a request', attempt, options).catch(() => {});
    return count;
  }

  it('resets the number of attempts after progress of 64 KiB', async () => {
    expect(await tries(piece)).toBe(11);
  });

  it('counts attempts despite progress of a few bytes, because a build could continue forever', async () => {
    expect(await tries(piece - 1)).toBe(3);
  });
});

describe('a permanent failure', () => {
  it.each([
    ['an untrusted certificate', permanentError],
    ['an error of another module', new LandfallError('BLOB_DIGEST', 'wrong')],
    ['a bug', new TypeError('oops')],
    ['a thrown string', 'text'],
  ])('throws a permanent failure without a retry: %s', async (_kind, error) => {
    const { attempt, state } = failing(1, error);
    await expect(withRetry('a request', attempt, recordedSleep())).rejects.toBe(error);
    expect(state.tries).toBe(1);
    expect(isTransient(error)).toBe(false);
  });

  it('stops after a cancellation during an attempt, whatever error the attempt throws', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let count = 0;
    const attempt = async () => {
      count += 1;
      controller.abort(reason);
      throw transientError;
    };
    const { signal } = controller;
    await expect(withRetry('x', attempt, { ...recordedSleep(), signal })).rejects.toBe(reason);
    expect(count).toBe(1);
  });

  it('makes no attempt after a cancellation', async () => {
    const reason = new Error('enough');
    const { attempt, state } = failing(0);
    const signal = AbortSignal.abort(reason);
    await expect(withRetry('a request', attempt, { signal })).rejects.toBe(reason);
    expect(state.tries).toBe(0);
  });

  it('ends the delay immediately after a cancellation', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const error = new TransferError('REGISTRY_RATE_LIMIT', 'later', {
      transient: true,
      retryAfterMs: 100_000,
    });
    // The delay begins directly after the note.
    const note = () => setImmediate(() => controller.abort(reason));
    const { signal } = controller;
    const running = withRetry('x', failing(1, error).attempt, { signal, note });
    await expect(running).rejects.toBe(reason);
  });
});
