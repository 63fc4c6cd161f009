import { commaAfter } from './comma-after.ts';
import { lastEntry, type ParsedSettings } from './parse-settings.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text without a setting. All comments are kept; a line that becomes blank is removed. If
 * a key occurs twice, only the last one is removed, which is the one that editors use.
 */
export function removeKey(settings: ParsedSettings, key: string): string {
  const { text, entries } = settings;
  const entry = lastEntry(settings, key);
  if (entry === undefined) return text;
  const next = commaAfter(text, entry.end);
  if (next !== undefined) return without(text, [entry, { start: next, end: next + 1 }]);
  const previous = entries[entries.indexOf(entry) - 1];
  const comma = previous && commaAfter(text, previous.end);
  return without(text, [
    ...(comma === undefined ? [] : [{ start: comma, end: comma + 1 }]),
    { start: entry.start, end: entry.end },
  ]);
}

/** @param ranges in ascending order */
function without(text: string, ranges: readonly Range[]): string {
  return joined(text, ranges)
    .toReversed()
    .reduce((left, range) => {
      const { start, end } = wholeLine(left, range);
      return left.slice(0, start) + left.slice(end);
    }, text);
}

/** Joins a setting and its comma to one range if only spaces are between them. */
function joined(text: string, [first, second]: readonly Range[]): Range[] {
  if (first === undefined) return [];
  if (second === undefined) return [first];
  const isNear = /^[ \t]*$/.test(text.slice(first.end, second.start));
  return isNear ? [{ start: first.start, end: second.end }] : [first, second];
}

/** Extends a range to its lines, if they contain nothing else. */
function wholeLine(text: string, { start, end }: Range): Range {
  const before = /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, start))?.[1];
  const after = /^[ \t]*(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0];
  if (before === undefined || after === undefined) return { start, end };
  return { start: start - before.length, end: end + after.length };
}
