import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { isTransient, withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';

const passing = new TransferError('NETWORK_UNREACHABLE', 'the connection was lost', {
  transient: true,
});
const lasting = new TransferError('NETWORK_TLS', 'untrusted certificate', { transient: false });

/** A sleep that takes no time and says how long it would have taken. */
function recordedSleep() {
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
  };
  return { slept, sleep };
}

/** An attempt that fails some times before it works. */
function failing(times: number, error: unknown = passing) {
  const state = { tries: 0 };
  const attempt = async () => {
    state.tries += 1;
    if (state.tries <= times) throw error;
    return 'done';
  };
  return { state, attempt };
}

describe('a transient failure', () => {
  it('is made again until it works', async () => {
    const { attempt, state } = failing(3);
    expect(await withRetry('a thing', attempt, recordedSleep())).toBe('done');
    expect(state.tries).toBe(4);
  });

  it('is given up after five tries, with its own error', async () => {
    const { attempt, state } = failing(9);
    await expect(withRetry('a thing', attempt, recordedSleep())).rejects.toBe(passing);
    expect(state.tries).toBe(5);
  });

  it('is given up after as many tries as asked for', async () => {
    const { attempt, state } = failing(9);
    await expect(withRetry('x', attempt, { ...recordedSleep(), attempts: 2 })).rejects.toBe(
      passing,
    );
    expect(state.tries).toBe(2);
  });

  it('waits longer every time, between 0.1 and 30 s, never quite the same', async () => {
    const { slept, sleep } = recordedSleep();
    const { attempt } = failing(9);
    await withRetry('a thing', attempt, { sleep, attempts: 10 });
    const upper = [100, 400, 1600, 6400, 25_600, 30_000, 30_000, 30_000, 30_000];
    expect(slept).toHaveLength(upper.length);
    for (const [index, most] of upper.entries()) {
      expect(slept[index]).toBeLessThanOrEqual(most);
      expect(slept[index]).toBeGreaterThanOrEqual(Math.max(100, most / 2));
    }
    expect(new Set(slept.slice(5)).size).toBeGreaterThan(1);
  });

  it('is told in one line', async () => {
    const lines: string[] = [];
    const { attempt } = failing(1);
    await withRetry('layer 1', attempt, { ...recordedSleep(), note: (line) => lines.push(line) });
    expect(lines).toEqual(['layer 1: the connection was lost; retrying in 0.1 s']);
  });
});

describe('a server that says when to come back', () => {
  const asking = (retryAfterMs: number) =>
    new TransferError('REGISTRY_RATE_LIMIT', 'too many', { transient: true, retryAfterMs });

  it.each([
    [7_000, 7_000],
    [600_000, 120_000],
  ])('asking for %i ms is given %i ms', async (asked, given) => {
    const { slept, sleep } = recordedSleep();
    await withRetry('a thing', failing(1, asking(asked)).attempt, { sleep });
    expect(slept).toEqual([given]);
  });

  it('asking for none is not stormed', async () => {
    const { slept, sleep } = recordedSleep();
    await withRetry('a thing', failing(1, asking(0)).attempt, { sleep });
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
      if (count <= 10) throw passing;
    };
    const options = { ...recordedSleep(), attempts: 3, progress: () => bytes };
    await withRetry('a thing', attempt, options).catch(() => {});
    return count;
  }

  it('by a good piece makes the count begin anew', async () => {
    expect(await tries(piece)).toBe(11);
  });

  it('by a few bytes does not, or a trickle would keep a build for ever', async () => {
    expect(await tries(piece - 1)).toBe(3);
  });
});

describe('what is not tried again', () => {
  it.each([
    ['distrust', lasting],
    ['a refusal', new LandfallError('BLOB_DIGEST', 'wrong')],
    ['a mistake of the program', new TypeError('oops')],
    ['a thrown text', 'text'],
  ])('is %s', async (_kind, error) => {
    const { attempt, state } = failing(1, error);
    await expect(withRetry('a thing', attempt, recordedSleep())).rejects.toBe(error);
    expect(state.tries).toBe(1);
    expect(isTransient(error)).toBe(false);
  });

  it('is what was cancelled while it ran, whatever it failed with', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let count = 0;
    const attempt = async () => {
      count += 1;
      controller.abort(reason);
      throw passing;
    };
    const { signal } = controller;
    await expect(withRetry('x', attempt, { ...recordedSleep(), signal })).rejects.toBe(reason);
    expect(count).toBe(1);
  });

  it('is what was cancelled before', async () => {
    const reason = new Error('enough');
    const { attempt, state } = failing(0);
    const signal = AbortSignal.abort(reason);
    await expect(withRetry('a thing', attempt, { signal })).rejects.toBe(reason);
    expect(state.tries).toBe(0);
  });

  it('is what is cancelled during the pause, which ends at once', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const error = new TransferError('REGISTRY_RATE_LIMIT', 'later', {
      transient: true,
      retryAfterMs: 100_000,
    });
    // The pause begins right after it is announced.
    const note = () => setImmediate(() => controller.abort(reason));
    const { signal } = controller;
    const running = withRetry('x', failing(1, error).attempt, { signal, note });
    await expect(running).rejects.toBe(reason);
  });
});
