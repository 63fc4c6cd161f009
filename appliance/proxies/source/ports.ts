import { z } from 'zod';
import { portSchema, wholeNumber } from '../model/text.ts';
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

const interval = wholeNumber(5, 86_400);

/** Reads the seconds between changes of the port. Of a range, the first number is used. */
export function hopInterval(fields: Fields, key: string): number | undefined {
  const text = fields.text(key);
  if (text === undefined) return undefined;
  const digits = /^(\d{1,6})(?:\s*-\s*\d{1,6})?s?$/.exec(text.trim())?.[1];
  return fields.check(
    key,
    interval,
    digits === undefined ? Number.NaN : Math.max(5, Number(digits)),
  );
}
