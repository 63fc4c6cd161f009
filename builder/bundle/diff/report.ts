import { isDeepStrictEqual } from 'node:util';
import { formatBytes } from '#contract/text/amount.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import { unresolved } from '../../inputs/lock/lock.ts';

/** A differing value: the text before and after. Empty for a side that does not have it. */
interface Field {
  /** Empty if the item has only one value. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** An item that was added, removed or changed. */
export interface Row {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly name: string;
  readonly fields: readonly Field[];
}

/** A list of differences under one title. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A comparison for users. A renderer escapes all texts, because they come from untrusted files. */
export interface Report {
  readonly title: string;
  /** Sentences below the title. */
  readonly summary: readonly string[];
  readonly sections: readonly Section[];
  /** Sentences at the end: assumptions, and what was not compared or verified. */
  readonly notes: readonly string[];
}

/** A value as text. */
interface Shown {
  readonly short: string;
  /** Shown if the short texts of two different values are equal. */
  readonly full?: string;
  /** Whether the value is left out for an added or removed item. */
  readonly detail?: boolean;
}

export type ShownFields = Readonly<Record<string, Shown | undefined>>;

/** Returns a row per change, with the fields that differ. */
export function rowsOf<T>(
  changes: readonly ValueChange<T>[],
  fieldsOf: (value: T) => ShownFields,
): Row[] {
  return changes.map(({ name, before, after }) => {
    const one = before === null ? {} : fieldsOf(before);
    const other = after === null ? {} : fieldsOf(after);
    const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
    const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((field) =>
      fieldOf(field, one[field], other[field], kind === 'changed'),
    );
    return { kind, name, fields };
  });
}

function fieldOf(
  name: string,
  one: Shown | undefined,
  other: Shown | undefined,
  isChange: boolean,
): Field[] {
  if (!isChange && (one ?? other)?.detail) return [];
  if (fullOf(one) === fullOf(other)) return [];
  const text = one?.short === other?.short ? fullOf : (shown?: Shown) => shown?.short ?? '';
  return [{ name, before: text(one), after: text(other) }];
}

function fullOf(shown: Shown | undefined): string {
  return shown?.full ?? shown?.short ?? '';
}

/** A difference between two sides. `null` stands for the side that does not have the item. */
export interface ValueChange<T> {
  readonly name: string;
  readonly before: T | null;
  readonly after: T | null;
}

/**
 * Returns the items that were added, removed or changed, sorted by name.
 * @param isSame default: equal in every field
 */
export function changesBetween<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T, other: T) => boolean = isDeepStrictEqual,
): ValueChange<T>[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    if (one !== undefined && other !== undefined && isSame(one, other)) return [];
    return [{ name, before: one ?? null, after: other ?? null }];
  });
}

/** Number of hex digits of a shortened digest. */
const digits = 12;

/** Shows a size in bytes, exactly if the rounded sizes are equal. */
export function shownSize(bytes: number | null | typeof unresolved): Shown {
  if (typeof bytes !== 'number') return { short: unresolved };
  return { short: formatBytes(bytes), full: `${bytes} B` };
}

/** Shows the start of a digest. */
export function shownDigest(digest: string | null): Shown {
  if (digest === null) return { short: unresolved };
  const hex = digest.replace(/^sha256:/, '');
  return hex.length > digits ? { short: `${hex.slice(0, digits)}…`, full: hex } : { short: hex };
}

/** Shows a digest shortened, and any other text as it is. */
export function shownFact(text: string): Shown {
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(text) ? shownDigest(text) : { short: text };
}

const hidden = '(hidden: looks like a secret)';

/** Longest text in a table. URLs and image references are shorter than 1024 characters. */
const maxLength = 1024;

/** Returns a text from an untrusted file as one plain line; replaces a text that looks like a secret. */
export function safeText(text: string): string {
  return hideSecret(plainLine(text, maxLength));
}

/** Returns a text, or a replacement if it looks like a secret: `- TOKEN=…`, a URL with a password. */
function hideSecret(text: string): string {
  // Entries of YAML lists start with a dash, assignments in them with a quote.
  return secretLooks(text.replace(/^[\s-]*["']?/, '')) ? hidden : text;
}

/** Encodes a result as JSON without texts that look like secrets. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' ? hideSecret(each) : each,
  );
}

/** The result of a comparison, for users and for programs. */
export interface Comparison {
  readonly different: boolean;
  readonly report: Report;
  readonly json: object;
}

/** Returns the sections that have rows. */
export function filled(sections: readonly Section[]): Section[] {
  return sections.filter(({ rows }) => rows.length > 0);
}
