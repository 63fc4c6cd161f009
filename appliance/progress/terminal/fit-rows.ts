import type { Paint } from '#contract/text/paint.ts';
import { renderRows } from './render-rows.ts';
import { type Brevity, groups, type Row } from './row.ts';

/**
 * Renders rows as lines that fit on the screen, because lines that have scrolled cannot be redrawn.
 * Abbreviates one group after another until they fit.
 * @param most maximum number of lines
 */
export function fitRows(
  rowsOf: (brevity: Brevity) => Row[],
  columns: number,
  most: number,
  paint: Paint,
): string[] {
  for (let count = 0; ; count += 1) {
    const lines = renderRows(rowsOf(groups.slice(0, count)), columns, paint);
    if (lines.length <= most || count === groups.length) return lines.slice(0, most);
  }
}
