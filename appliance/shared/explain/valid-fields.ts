import type { z } from 'zod';
import { memberOf } from './schema-at.ts';

/**
 * Returns the valid fields of a file, with defaults. With them, rules between fields can be checked
 * and reported even if other fields are invalid.
 */
export function validFields<T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  value: unknown,
): Partial<z.output<z.ZodObject<T>>> {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) => {
    const parsed = (field as z.ZodType).safeParse(memberOf(value, name));
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return Object.fromEntries(fields) as Partial<z.output<z.ZodObject<T>>>;
}
