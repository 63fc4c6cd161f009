import type { z } from 'zod';
import { readJson } from '#contract/text/json.ts';
import { readText } from './files.ts';
import type { Host } from './host.ts';

/**
 * Returns the JSON of a file of ours; undefined if it is missing, damaged or not readable.
 * @param damaged returns the error to throw for a damaged file
 */
export async function readJsonFile<Schema extends z.ZodType>(
  host: Host,
  path: string,
  schema: Schema,
  damaged?: () => Error,
): Promise<z.output<Schema> | undefined> {
  const text = await readText(host, path).catch(() => undefined);
  const value = readJson(schema, text);
  if (value === undefined && text !== undefined && damaged) throw damaged();
  return value;
}
