import type { GgufTensor } from './gguf-writer.ts';

/** Builds a tensor; `value` is called once per element, the innermost dimension first. */
export function tensor(
  name: string,
  dimensions: readonly number[],
  value: () => number,
): GgufTensor {
  const count = dimensions.reduce((product, each) => product * each, 1);
  return { name, dimensions, data: Float32Array.from({ length: count }, value) };
}

/** Returns normally distributed numbers (Box and Muller) from a small, portable generator. */
export function gaussian(seed: number): () => number {
  let state = seed >>> 0;
  // mulberry32: sufficient for noise, and exact in 32-bit arithmetic.
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
