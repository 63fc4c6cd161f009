/** Environment variable: a factor for the inputs of fuzz and property tests. */
export const fuzzVariable = 'LANDFALL_FUZZ_RUNS';

/** 1 by default. `npm test` and the gate use less, and a search for faults uses more. */
export const fuzzFactor = Number.parseFloat(process.env[fuzzVariable] ?? '') || 1;

/** Returns the number of inputs of a fuzz or property test, at least 3. */
export function fuzzRuns(defaults: number): number {
  return Math.max(3, Math.ceil(defaults * fuzzFactor));
}
