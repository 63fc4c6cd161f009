import { z } from 'zod';

/** What a lock writes where nobody knows a value yet. */
export const unresolved = 'unresolved';

export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits');

/** A value, or the word for none yet. */
export function orUnresolved<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.literal(unresolved)]);
}
