import type { Change } from './change.ts';

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
  /** Unified diffs of text files. */
  readonly texts: readonly TextDiff[];
  /** Sentences at the end: assumptions, and what was not compared or verified. */
  readonly notes: readonly string[];
}

export interface TextDiff {
  readonly path: string;
  /** As from `diff -u`, without the two lines of the header. */
  readonly lines: readonly string[];
}

/** A value as text. */
export interface Shown {
  readonly short: string;
  /** Shown if the short texts of two different values are equal. */
  readonly full?: string;
  /** Whether the value is left out for an added or removed item. */
  readonly detail?: boolean;
}

export type ShownFields = Readonly<Record<string, Shown | undefined>>;

/** Returns a row per change, with the fields that differ. */
export function rowsOf<T>(
  changes: readonly Change<T>[],
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
