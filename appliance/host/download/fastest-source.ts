import { type MinimumRate, TooSlow } from './minimum-rate.ts';

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
export async function fromFastestSource(
  sources: readonly string[],
  { strict, relaxed }: MinimumRates,
  attempt: (source: string, minimumRate: MinimumRate) => Promise<void>,
): Promise<void> {
  const slow: string[] = [];
  let failure: unknown;
  const isAlone = sources.length === 1;
  for (const source of isAlone ? [] : sources) {
    try {
      return await attempt(source, strict);
    } catch (error) {
      if (error instanceof TooSlow) slow.push(source);
      failure = error;
    }
  }
  for (const source of isAlone ? sources : slow) {
    try {
      return await attempt(source, relaxed);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
