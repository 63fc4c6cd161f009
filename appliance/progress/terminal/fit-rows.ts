import { paint } from './paint.ts';
import type { Brevity, Row } from './row.ts';

/** What to abbreviate, step by step, until the rows fit. */
const shorter: readonly Brevity[] = [
  {},
  { ended: true },
  { ended: true, waiting: true },
  { ended: true, waiting: true, warnings: true },
];

/**
 * Renders rows as lines that fit on the screen, because lines that have scrolled cannot be redrawn.
 * @param most maximum number of lines
 */
export function fitRows(
  rowsOf: (brevity: Brevity) => Row[],
  columns: number,
  most: number,
  colour: boolean,
): string[] {
  for (const brevity of shorter) {
    const lines = paint(rowsOf(brevity), columns, colour);
    if (lines.length <= most) return lines;
  }
  return paint(rowsOf(shorter.at(-1) ?? {}), columns, colour).slice(0, most);
}
