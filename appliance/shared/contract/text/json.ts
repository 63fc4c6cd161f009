import type { z } from 'zod';
import { decodeUtf8 } from './utf8.ts';

/** Parses JSON (RFC 8259). Returns undefined, which is no JSON value, for anything else. */
export function parseJson(json: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof json === 'string' ? json : decodeUtf8(json));
  } catch {
    return undefined;
  }
}

/** Parses JSON that a schema accepts. Returns undefined for anything else, and for no text. */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  json: string | Uint8Array | undefined,
): z.output<Schema> | undefined {
  if (json === undefined) return undefined;
  return schema.safeParse(parseJson(json)).data;
}
