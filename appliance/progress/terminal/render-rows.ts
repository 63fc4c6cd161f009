import { startWithin } from '#contract/text/display-width.ts';
import type { Paint } from '#contract/text/paint.ts';
import type { Row } from './row.ts';

/** Renders rows as lines for a terminal and wraps long ones. */
export function renderRows(rows: readonly Row[], columns: number, paint: Paint): string[] {
  return rows.flatMap(({ text, colour }) =>
    wrap(text, columns).map((line) => (colour ? paint(colour, line) : line)),
  );
}

/** Wraps text at spaces if possible and indents continuation lines. */
export function wrap(text: string, columns: number): string[] {
  const width = Math.max(columns, 20);
  const lines: string[] = [];
  let rest = text;
  for (;;) {
    const { length } = startWithin(rest, width);
    if (length === rest.length) return [...lines, rest];
    const blank = rest.lastIndexOf(' ', length);
    const at = blank > length / 2 ? blank : length;
    lines.push(rest.slice(0, at).trimEnd());
    rest = `  ${rest.slice(at).trimStart()}`;
  }
}
