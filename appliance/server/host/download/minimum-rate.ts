import { formatRate } from '#contract/text/amount.ts';
import { TransferError } from '#http/transfer-error.ts';

/** Minimum transfer rates of a source. */
export interface MinimumRates {
  /** While other sources are untried. */
  readonly strict: MinimumRate;
  /** For a single source, or when every source is slow. */
  readonly relaxed: MinimumRate;
}

/**
 * A file of 60 MB takes 20 minutes at 50 kB/s, so another source is probably faster. At 4 kB/s it
 * takes more than 4 hours: such a source is considered broken.
 */
export const defaultRates: MinimumRates = {
  strict: { bytesPerSecond: 50_000, seconds: 60 },
  relaxed: { bytesPerSecond: 4_000, seconds: 60 },
};

/**
 * Uses the first source that works at the strict rate. If none does, retries the slow ones at the
 * relaxed rate.
 * @throws what the last attempt threw
 */
export async function fromFastestSource<T, R>(
  sources: readonly T[],
  { strict, relaxed }: MinimumRates,
  attempt: (source: T, minimumRate: MinimumRate) => Promise<R>,
): Promise<R> {
  let [remaining, failure]: [readonly T[], unknown] = [sources, undefined];
  for (const rate of sources.length === 1 ? [relaxed] : [strict, relaxed]) {
    const slow: T[] = [];
    for (const source of remaining) {
      try {
        return await attempt(source, rate);
      } catch (error) {
        if (error instanceof TooSlow) slow.push(source);
        failure = error;
      }
    }
    remaining = slow;
  }
  throw failure;
}

export interface MinimumRate {
  readonly bytesPerSecond: number;
  /** Averaging period. */
  readonly seconds: number;
}

/**
 * Yields the chunks of a body and fails if they arrive too slowly. This also ends transfers that
 * send a byte now and then, which the client's stall timeout does not catch.
 * @param host sender, for the error message
 * @throws LandfallError NETWORK_TIMEOUT
 */
export async function* enforceMinimumRate(
  { bytesPerSecond, seconds }: MinimumRate,
  host: string,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let [began, received] = [performance.now(), 0];
  for await (const chunk of body) {
    received += chunk.length;
    if (received >= bytesPerSecond * seconds) [began, received] = [performance.now(), 0];
    if (performance.now() - began > seconds * 1000) throw new TooSlow(host, bytesPerSecond);
    yield chunk;
  }
}

/** Not retried immediately: the next source may be faster. */
class TooSlow extends TransferError {
  constructor(host: string, bytesPerSecond: number) {
    const message = `${host} sends less than ${formatRate(bytesPerSecond)}`;
    super('NETWORK_TIMEOUT', message, {
      hint: 'Set a closer mirror or another route in the site.',
      transient: false,
    });
  }
}
