import type { z } from 'zod';
import type { Problem } from '../errors.ts';
import { areEqual } from '../text/bytes.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import { refusal } from './refusals.ts';
import { encodeRelease, type Release, releaseSchema } from './release.ts';

/** How to handle unknown fields. */
type UnknownFields = 'reject' | 'ignore';

interface DecodedRelease {
  readonly release: Release;
  /** Names of the ignored fields. */
  readonly ignored: readonly string[];
}

/**
 * Parses a release manifest strictly: known fields, values in range, canonical bytes. Use this to
 * build and to verify bundles; an installed server uses {@link decodeNewerRelease}. Verify the
 * signature over the same bytes before trusting the result. Parsing is safe for any bytes up to the
 * limit in `head.ts`.
 * @throws LandfallError BUNDLE_MANIFEST with the problems found.
 */
export function decodeRelease(bytesOfManifest: Uint8Array): Release {
  return decode(bytesOfManifest, 'reject').release;
}

/**
 * Parses a release manifest that may be newer than this program: ignores unknown fields, except
 * those that the manifest marks as critical. Only for bytes that a trusted key signed.
 * @throws LandfallError BUNDLE_MANIFEST with the problems found.
 */
export function decodeNewerRelease(bytesOfManifest: Uint8Array): DecodedRelease {
  return decode(bytesOfManifest, 'ignore');
}

/**
 * Requires the bytes to equal the encoding of the result. This rejects duplicate keys, another key
 * order, unusual escapes, invalid UTF-8 and trailing bytes without a custom parser: two programs
 * cannot interpret the same bytes differently. It applies to unknown fields as well.
 */
function decode(bytesOfManifest: Uint8Array, unknownFields: UnknownFields): DecodedRelease {
  const raw = parseJson(bytesOfManifest);
  refuseOtherSchema(raw);
  const parsed = releaseSchema.safeParse(raw);
  if (parsed.success) {
    if (!areEqual(encodeRelease(parsed.data), bytesOfManifest)) throw notCanonical();
    return { release: parsed.data, ignored: [] };
  }
  const { issues } = parsed.error;
  if (unknownFields === 'reject' || isDeep(raw, maxDepth)) throw invalid(issues);
  if (!areEqual(encodeCanonicalJson(raw), bytesOfManifest)) throw notCanonical();
  const rest = withoutUnknownFields(raw, issues);
  if (!rest) throw invalid(issues);
  // Rules across fields apply only after unknown fields are removed.
  const known = releaseSchema.safeParse(rest.value);
  if (!known.success) throw invalid(known.error.issues);
  const release = known.data;
  refuseCritical(release, rest.fields);
  if (!areEqual(encodeRelease(release), encodeCanonicalJson(rest.value))) throw notCanonical();
  return { release, ignored: rest.fields };
}

/** Maximum nesting depth. Encoding deeper values could exhaust memory. */
const maxDepth = 16;

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1));
}

/** Rejects later schemas: they may redefine known fields, so no field is reliable. */
function refuseOtherSchema(raw: unknown): void {
  const { schema, updatesFrom } = (raw ?? {}) as Partial<Record<string, unknown>>;
  if (!Number.isInteger(schema) || Number(schema) <= 1) return;
  const through = releaseSchema.shape.updatesFrom.safeParse(updatesFrom);
  throw refusal('understood', `release.json has schema ${schema}; this program reads schema 1`, {
    problems: through.data ? [updateFirst(through.data)] : [],
  });
}

function refuseCritical({ critical = [] }: Release, unknown: readonly string[]): void {
  const missing = critical.filter(({ field }) => unknown.includes(field));
  if (missing.length === 0) return;
  const fields = missing.map(({ field }) => field).join(', ');
  throw refusal(
    'understood',
    `release.json has critical fields that this program does not support: ${fields}`,
    {
      problems: missing.map(({ since }) => updateFirst(since)),
    },
  );
}

function updateFirst(version: string): Problem {
  return { message: `update to release ${version} first, then to this one` };
}

function invalid(issues: readonly z.core.$ZodIssue[]): Error {
  return refusal('canonical-manifest', 'release.json is not a valid release manifest', {
    problems: schemaProblems(issues.map(withoutFieldNames)),
  });
}

function notCanonical(): Error {
  return refusal('canonical-manifest', 'release.json is not canonical JSON');
}

/** Omits the parser's error: it quotes the input, which could contain terminal escape sequences. */
function parseJson(bytesOfManifest: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytesOfManifest));
  } catch {
    throw refusal('canonical-manifest', 'release.json is not valid JSON');
  }
}

/** Counts unknown fields instead of naming them, for the same reason. */
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
