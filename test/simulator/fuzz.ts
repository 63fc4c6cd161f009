/**
 * Number of inputs of a fuzz test: few by default, multiplied by
 * LANDFALL_FUZZ_RUNS.
 */
export function fuzzRuns(defaults: number): number {
  return defaults * fuzzFactor;
}

/** Multiplier, 1 by default. */
export const fuzzFactor = Math.max(
  1,
  Number.parseInt(process.env.LANDFALL_FUZZ_RUNS ?? '', 10) || 1,
);
