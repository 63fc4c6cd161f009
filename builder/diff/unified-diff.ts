import { diff } from 'node:util';

/** Unchanged lines around a change, as in `diff -u`. */
const context = 3;

/** Maximum length of the changed region in lines: memory use grows with its square. */
const maxLines = 1000;

type Mark = ' ' | '-' | '+';

interface Line {
  readonly mark: Mark;
  readonly text: string;
}

/**
 * Returns the hunks of `diff -u` for two texts, empty if they are equal. Undefined if too many lines
 * differ.
 */
export function unifiedDiff(before: string, after: string): string[] | undefined {
  const [old, current] = [linesOf(before), linesOf(after)];
  const start = commonStart(old, current);
  const end = commonStart(old.slice(start).reverse(), current.slice(start).reverse());
  const removed = old.slice(start, old.length - end);
  const added = current.slice(start, current.length - end);
  if (Math.max(removed.length, added.length) > maxLines) return undefined;
  const lines = [
    ...old.slice(0, start).map((text): Line => ({ mark: ' ', text })),
    ...changedLines(removed, added),
    ...old.slice(old.length - end).map((text): Line => ({ mark: ' ', text })),
  ];
  return hunksOf(lines).flatMap(([from, to]) => hunk(lines, from, to));
}

/** Keeps the marker for a missing line break with its line, so that the lines differ. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const rest = lines.pop();
  return rest ? [...lines, `${rest}\n\\ No newline at end of file`] : lines;
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const length = one.findIndex((line, index) => line !== other[index]);
  return length === -1 ? one.length : length;
}

function changedLines(removed: readonly string[], added: readonly string[]): Line[] {
  // `diff` of Node 24 throws for two empty arrays.
  if (removed.length === 0 && added.length === 0) return [];
  const marks: Record<number, Mark> = { '-1': '+', 0: ' ', 1: '-' };
  return diff(removed, added).map(([operation, text]) => ({ mark: marks[operation] ?? ' ', text }));
}

/** Returns the ranges of lines to show: each change with its context, overlapping ones merged. */
function hunksOf(lines: readonly Line[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  lines.forEach(({ mark }, index) => {
    if (mark === ' ') return;
    const to = Math.min(lines.length, index + context + 1);
    const last = ranges.at(-1);
    if (last && index - context <= last[1]) last[1] = to;
    else ranges.push([Math.max(0, index - context), to]);
  });
  return ranges;
}

function hunk(lines: readonly Line[], from: number, to: number): string[] {
  const range = (other: Mark) => {
    const earlier = lines.slice(0, from).filter(({ mark }) => mark !== other).length;
    const length = lines.slice(from, to).filter(({ mark }) => mark !== other).length;
    // An empty range is named by the line before it.
    const first = length === 0 ? earlier : earlier + 1;
    return length === 1 ? `${first}` : `${first},${length}`;
  };
  return [
    `@@ -${range('+')} +${range('-')} @@`,
    ...lines.slice(from, to).flatMap(({ mark, text }) => `${mark}${text}`.split('\n')),
  ];
}
