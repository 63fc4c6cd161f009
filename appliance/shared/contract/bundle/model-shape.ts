import { z } from 'zod';

const count = z.int().min(0).max(1e9);

/**
 * What a model keeps in memory for each token of a conversation, and how long a conversation may be: what
 * its GGUF header says (ggml, `docs/gguf.md`).
 */
export const modelShape = z.strictObject({
  /** Numbers of all layers that are kept for every token: heads of keys and values times their length. */
  values: count,
  /** Numbers that are kept for the last tokens only, and how many tokens these are. */
  window: z.strictObject({ values: count, tokens: z.int().min(1) }).optional(),
  /** Tokens for which the model was trained. */
  context: z.int().min(1),
  /** Tokens of its vocabulary. Absent: not known. */
  vocabulary: count.optional(),
});

export type ModelShape = z.infer<typeof modelShape>;

/** Returns how many numbers a model keeps for a conversation. @param context tokens */
export function cachedValues(
  { values, window, context: max }: ModelShape,
  context: number,
): number {
  const tokens = Math.min(context, max);
  return values * tokens + (window ? window.values * Math.min(tokens, window.tokens) : 0);
}
