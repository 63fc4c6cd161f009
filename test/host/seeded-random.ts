import { randomInt } from 'node:crypto';

/** Repeats a run that drew lots: the number that it printed. */
const seedVariable = 'LANDFALL_TEST_SEED';

/** The seed of this run: the one that was asked for, or a new one, to be printed. */
export function seedOfRun(): number {
  const wanted = process.env[seedVariable];
  return wanted === undefined ? randomInt(2 ** 31) : Number(wanted);
}

/** Numbers from 0 to 1 that follow from a seed (the generator called mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
