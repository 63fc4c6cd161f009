import { z } from 'zod';
import { portSchema } from '../model/text.ts';
import type { Fields } from './fields.ts';

/** Parses ports such as `443,5000-6000`, and reports invalid ones. */
export function parsePorts(
  fields: Fields,
  key: string,
  text: string,
): [number, number][] | undefined {
  const ranges = text.split(/[,/]/).map((part): [number, number] => {
    const [, first = '', last = first] = /^\s*(\d{1,5})(?:[-:](\d{1,5}))?\s*$/.exec(part) ?? [];
    return [Number(first), Number(last)];
  });
  const valid = z
    .array(z.tuple([portSchema, portSchema]))
    .max(64)
    .safeParse(ranges).success;
  if (valid && ranges.every(([first, last]) => first <= last)) return ranges;
  return fields.problem(key, 'must be ports such as 443,5000-6000');
}
