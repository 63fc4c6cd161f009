import type { z } from 'zod';
import { memberOf } from './schema-at.ts';

/**
 * The fields of a file that are valid whatever the others are, defaults filled in. Rules between
 * fields can so be judged, and told, while other fields are still wrong.
 */
export function validParts<T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  value: unknown,
): Partial<z.output<z.ZodObject<T>>> {
  const parts = Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) => {
    const part = (field as z.ZodType).safeParse(memberOf(value, name));
    return part.success ? [[name, part.data] as const] : [];
  });
  return Object.fromEntries(parts) as Partial<z.output<z.ZodObject<T>>>;
}
