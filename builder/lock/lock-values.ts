import { z } from 'zod';

/** Stands for a value that is not resolved yet. */
export const unresolved = 'unresolved';

export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits');

/** Extends a schema by `unresolved`. */
export function orUnresolved<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.literal(unresolved)]);
}
