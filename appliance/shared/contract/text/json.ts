import type { z } from 'zod';
import type { Problem } from '../errors.ts';
import { decodeUtf8, encodeUtf8 } from './bytes.ts';
import { unprintable } from './plain-line.ts';

/** Maximum size of the structure of a JSON text. Parsed, a short text may need a hundred times its size. */
export interface JsonLimits {
  readonly depth: number;
  /** Values, where an object, an array or a member counts as five. */
  readonly values: number;
}

const defaultLimits: JsonLimits = { depth: 500, values: 5_000_000 };

/** Parses JSON (RFC 8259). Returns undefined, which is no JSON value, for anything else. */
export function parseJson(json: string | Uint8Array, limits = defaultLimits): unknown {
  try {
    const text = typeof json === 'string' ? json : decodeUtf8(json);
    return isWithin(text, limits) ? JSON.parse(text) : undefined;
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

const quote = 0x22;
const backslash = 0x5c;
const [comma, colon] = [0x2c, 0x3a];
const [leftBrace, leftBracket, rightBrace, rightBracket] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Returns whether the structure of a text fits, without building it. */
function isWithin(text: string, { depth, values }: JsonLimits): boolean {
  // Both are impossible in a shorter text. Programs walk the value, so its depth takes stack.
  if (text.length < 2 * Math.min(depth, values)) return true;
  let level = 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === comma) count += 1;
    else if (code === colon) count += 5;
    else if (code === leftBrace || code === leftBracket) {
      level += 1;
      count += 5;
    } else if (code === rightBrace || code === rightBracket) level -= 1;
    if (level > depth || count > values) return false;
  }
  return true;
}

/** Returns the index after the closing quote of a JSON string. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/**
 * Encodes JSON deterministically: keys in order, trailing newline, UTF-8.
 * @param indent spaces per level; 0: everything on one line
 */
export function encodeCanonicalJson(value: unknown, indent: 0 | 2 = 2): Uint8Array {
  return encodeUtf8(`${JSON.stringify(value, null, indent)}\n`);
}

/** Maximum number of problems in an error. */
const maxProblems = 20;
/** Maximum length of a problem in characters. */
const maxLength = 400;

/**
 * Formats schema issues as `layers.0.digest: must be …`. Paths and messages may quote the input, so
 * control characters are replaced.
 * @param nameOf returns the name of a non-empty path
 */
export function schemaProblems(
  issues: readonly z.core.$ZodIssue[],
  nameOf: (path: readonly PropertyKey[]) => string = (path) => path.join('.'),
): Problem[] {
  return issues.slice(0, maxProblems).map(({ path, message }) => {
    const text = `${path.length === 0 ? '(top level)' : nameOf(path)}: ${message}`;
    return { message: text.slice(0, maxLength).replace(unprintable, '?') };
  });
}

/** Returns a table that is read with text from outside. An object also has an entry for `constructor`. */
export function mapOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
