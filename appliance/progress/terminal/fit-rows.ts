import type { Paint } from '#contract/text/paint.ts';
import { renderRows } from './render-rows.ts';
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
  paint: Paint,
): string[] {
  for (const brevity of shorter) {
    const lines = renderRows(rowsOf(brevity), columns, paint);
    if (lines.length <= most) return lines;
  }
  return renderRows(rowsOf(shorter.at(-1) ?? {}), columns, paint).slice(0, most);
}
