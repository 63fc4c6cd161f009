import type { z } from 'zod';
import type { Problem } from '../errors.ts';
import { areEqual } from '../text/bytes.ts';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { schemaProblems } from '../text/schema-problems.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import { refusal } from './refusals.ts';
import { encodeRelease, type Release, releaseSchema } from './release.ts';
import { withoutUnknownFields } from './unknown-fields.ts';

/** What a program does about fields that it does not know. */
type UnknownFields = 'reject' | 'ignore';

interface DecodedRelease {
  readonly release: Release;
  /** Names of the fields that were ignored. */
  readonly ignored: readonly string[];
}

/**
 * Reads a release manifest, strictly: known fields, values in range, canonical bytes. Use this to build and
 * to judge bundles; an installed server uses {@link decodeNewerRelease}. Trust the result only after the
 * signature over the same bytes was checked; reading alone is safe for any bytes up to the cap in
 * `head.ts`.
 * @throws LandfallError BUNDLE_MANIFEST with the problems found.
 */
export function decodeRelease(bytesOfManifest: Uint8Array): Release {
  return decode(bytesOfManifest, 'reject').release;
}

/**
 * Reads a release manifest that may be newer than this program: unknown fields are ignored, except those
 * that the manifest calls critical. Only for bytes that a trusted key signed.
 * @throws LandfallError BUNDLE_MANIFEST with the problems found.
 */
export function decodeNewerRelease(bytesOfManifest: Uint8Array): DecodedRelease {
  return decode(bytesOfManifest, 'ignore');
}

/**
 * The bytes must be those that encoding the result gives. That rules out duplicate keys, another order,
 * odd escapes, broken UTF-8 and trailing bytes at once, without a parser of our own: two programs cannot
 * read the same bytes differently. Unknown fields are held to the same form.
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
  if (unknownFields === 'reject' || isDeep(raw, deepest)) throw invalid(issues);
  if (!areEqual(encodeCanonicalJson(raw), bytesOfManifest)) throw notCanonical();
  const rest = withoutUnknownFields(raw, issues);
  if (!rest) throw invalid(issues);
  // Rules across fields are judged only once the fields are known.
  const known = releaseSchema.safeParse(rest.value);
  if (!known.success) throw invalid(known.error.issues);
  const release = known.data;
  refuseCritical(release, rest.fields);
  if (!areEqual(encodeRelease(release), encodeCanonicalJson(rest.value))) throw notCanonical();
  return { release, ignored: rest.fields };
}

/** Levels of lists and objects. Encoding what is nested deeper would take memory without bounds. */
const deepest = 16;

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1));
}

/** A later schema means something else by known fields, so nothing in it can be relied on. */
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
  throw refusal('understood', `this program does not understand ${fields} of release.json`, {
    problems: missing.map(({ since }) => updateFirst(since)),
  });
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
  return refusal('canonical-manifest', 'release.json is JSON, but not in its canonical form');
}

/** The parser's own error stays out: it quotes the input, which may be meant for a terminal. */
function parseJson(bytesOfManifest: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytesOfManifest));
  } catch {
    throw refusal('canonical-manifest', 'release.json is not JSON');
  }
}

/** For the same reason unknown fields are counted, not named. */
function withoutFieldNames(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'unrecognized_keys') return issue;
  return { ...issue, message: `${issue.keys.length} unknown fields` };
}
