import { z } from 'zod';
import { versionSchema } from '../bundle/version.ts';
import type { ErrorDetails, Problem } from '../errors.ts';
import { areEqual } from '../text/bytes.ts';
import { encodeCanonicalJson, parseJson, schemaProblems } from '../text/json.ts';

/** How to handle unknown fields. */
type UnknownFields = 'reject' | 'ignore';

/** A kind of signed document: its name, its fields, and the errors for others. */
export interface DocumentKind<Value> {
  /** File name, such as `release.json`. */
  readonly name: string;
  /** Indentation of its canonical JSON. */
  readonly indent: 0 | 2;
  /** Strict, with `schema: 1` and `critical`. */
  readonly schema: z.ZodType<Value & Critical>;
  /** Returns the error for bytes that no program should accept. */
  invalid(found: string, details?: Pick<ErrorDetails, 'problems'>): Error;
  /** Returns the error for a document that only a newer program understands. */
  newer(found: string, details: Pick<ErrorDetails, 'problems'>): Error;
}

interface Decoded<Value> {
  readonly value: Value;
  /** Names of the ignored fields. */
  readonly ignored: readonly string[];
}

/**
 * Fields that a program must support to use a document, like `crit` of RFC 7515 (4.1.11): their names,
 * such as `images.runtime`, with the first version that supports each.
 */
export const criticalFields = z
  .array(
    z.strictObject({
      field: z
        .string()
        .max(256)
        .regex(
          /^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*$/,
          'must be a field such as images.runtime',
        ),
      since: versionSchema,
    }),
  )
  .min(1)
  .max(16)
  .optional();

interface Critical {
  readonly critical?: z.infer<typeof criticalFields>;
}

/**
 * Parses a signed document. Requires the bytes to equal the encoding of the result. This rejects
 * duplicate keys, another key order, unusual escapes, invalid UTF-8 and trailing bytes without a custom
 * parser: two programs cannot interpret the same bytes differently. It applies to unknown fields as
 * well; those are ignored only in bytes that a trusted key signed (decision 29).
 * @throws the errors of the kind
 */
export function decodeDocument<Value extends object>(
  bytes: Uint8Array,
  kind: DocumentKind<Value>,
  unknownFields: UnknownFields,
): Decoded<Value> {
  const { name, schema, indent } = kind;
  const encode = (value: unknown) => encodeCanonicalJson(value, indent);
  const notCanonical = () => kind.invalid(`${name} is not canonical JSON`);
  const invalid = (issues: readonly z.core.$ZodIssue[]) =>
    kind.invalid(`${name} is not valid`, {
      problems: schemaProblems(issues.map(withoutFieldNames)),
    });
  const raw = parseJson(bytes);
  // Without the parser's error: it quotes the input, which could contain terminal escape sequences.
  if (raw === undefined) throw kind.invalid(`${name} is not valid JSON`);
  refuseOtherSchema(raw, kind);
  const parsed = schema.safeParse(raw);
  if (parsed.success) {
    if (!areEqual(encode(parsed.data), bytes)) throw notCanonical();
    return { value: parsed.data, ignored: [] };
  }
  const { issues } = parsed.error;
  if (unknownFields === 'reject' || isDeep(raw, maxDepth)) throw invalid(issues);
  if (!areEqual(encode(raw), bytes)) throw notCanonical();
  const rest = withoutUnknownFields(raw, issues);
  if (!rest) throw invalid(issues);
  // Rules across fields apply only after unknown fields are removed.
  const known = schema.safeParse(rest.value);
  if (!known.success) throw invalid(known.error.issues);
  refuseCritical(known.data, rest.fields, kind);
  if (!areEqual(encode(known.data), encode(rest.value))) throw notCanonical();
  return { value: known.data, ignored: rest.fields };
}

/** Maximum nesting depth. Encoding deeper values could exhaust memory. */
const maxDepth = 16;

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1));
}

const laterSchema = z.looseObject({ schema: z.int().min(2) });

/** Rejects later schemas: they may redefine known fields, so no field is reliable. */
function refuseOtherSchema<Value>(raw: unknown, { name, newer }: DocumentKind<Value>): void {
  const { data } = laterSchema.safeParse(raw);
  if (!data) return;
  const through = versionSchema.safeParse(data.updatesFrom);
  throw newer(`${name} has schema ${data.schema}; this program reads schema 1`, {
    problems: through.data ? [updateFirst(through.data)] : [],
  });
}

function refuseCritical<Value>(
  { critical = [] }: Critical,
  unknown: readonly string[],
  { name, newer }: DocumentKind<Value>,
): void {
  const missing = critical.filter(({ field }) => unknown.includes(field));
  if (missing.length === 0) return;
  const fields = missing.map(({ field }) => field).join(', ');
  throw newer(`${name} has critical fields that this program does not support: ${fields}`, {
    problems: missing.map(({ since }) => updateFirst(since)),
  });
}

function updateFirst(version: string): Problem {
  return { message: `update to release ${version} first, then to this one` };
}

/** Counts unknown fields instead of naming them: a name could contain terminal escape sequences. */
function withoutFieldNames(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'unrecognized_keys') return issue;
  return { ...issue, message: `${issue.keys.length} unknown fields` };
}

/** A possible name of a future field. Other names, such as `__proto__`, are rejected. */
const fieldName = /^[a-z][A-Za-z0-9]{0,63}$/;

/**
 * Returns a copy of a value without the fields that a strict schema does not know, and their names,
 * such as `images.runtime`, without list positions. Undefined if the value has other problems or an
 * unknown field with an invalid name.
 */
function withoutUnknownFields(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): { readonly value: unknown; readonly fields: readonly string[] } | undefined {
  const copy = structuredClone(value);
  const fields = new Set<string>();
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') return undefined;
    const owner = issue.path.reduce<unknown>((at, key) => (at as Fields)[key as string], copy);
    for (const key of issue.keys) {
      if (!fieldName.test(key)) return undefined;
      delete (owner as Fields)[key];
      fields.add([...issue.path.filter((each) => typeof each === 'string'), key].join('.'));
    }
  }
  return { value: copy, fields: [...fields].sort() };
}

type Fields = Record<string, unknown>;
