/**
 * How many inputs a fuzz test tries: few enough for every run of the tests, more when
 * LANDFALL_FUZZ_RUNS says how many times as many.
 */
export function fuzzRuns(usual: number): number {
  return usual * fuzzFactor;
}

/** 1 unless somebody has more time. */
export const fuzzFactor = Math.max(
  1,
  Number.parseInt(process.env.LANDFALL_FUZZ_RUNS ?? '', 10) || 1,
);
