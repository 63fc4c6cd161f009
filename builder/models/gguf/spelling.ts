/**
 * Names of the storage formats by `general.file_type` (llama.cpp, `enum llama_ftype`), spelled as
 * in model tags.
 */
const fileTypes: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  21: 'Q2_K_S',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  26: 'IQ3_S',
  27: 'IQ3_M',
  28: 'IQ2_S',
  29: 'IQ2_M',
  30: 'IQ4_XS',
  31: 'IQ1_M',
  32: 'BF16',
};

/** Returns the name of a file type, or `unknown`. */
export function fileTypeName(number: unknown): string {
  return (typeof number === 'number' ? fileTypes[number] : undefined) ?? 'unknown';
}

/** Formats a number of parameters as in model names: `8.2B`, `134.52M`, `130K`. */
export function parameterCount(parameters: bigint): string {
  const number = Number(parameters);
  if (number >= 1e9) return `${rounded(number / 1e9, 1)}B`;
  if (number >= 1e6) return `${rounded(number / 1e6, 2)}M`;
  return number >= 1e3 ? `${rounded(number / 1e3, 0)}K` : `${number}`;
}

function rounded(number: number, digits: number): string {
  return number.toFixed(Number.isInteger(number) ? 0 : digits);
}
