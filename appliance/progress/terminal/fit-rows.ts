import { paint } from './paint.ts';
import type { Brevity, Row } from './row.ts';

/** What is left out first where there is no room for all. */
const shorter: readonly Brevity[] = [
  {},
  { ended: true },
  { ended: true, waiting: true },
  { ended: true, waiting: true, warnings: true },
];

/**
 * Rows as lines of which a terminal can show all: what scrolled out of it cannot be drawn again.
 * @param most how many lines there is room for
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
