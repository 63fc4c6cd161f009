import { displayWidth } from './display-width.ts';

/** Layout of a table column. */
interface Column {
  /** Default: left. */
  readonly align?: 'left' | 'right';
  /** Minimum width in terminal columns, so that a redrawn table does not move. */
  readonly min?: number;
}

/**
 * Formats rows of cells as aligned columns, separated by two spaces, without trailing spaces.
 * @param columns layout of the first columns; the others are aligned left
 */
export function formatTable(
  rows: ReadonlyArray<readonly string[]>,
  columns: readonly Column[] = [],
): string {
  return alignRows(rows, columns).join('\n');
}

/** Formats a table like {@link formatTable}, as one line per row. */
export function alignRows(
  rows: ReadonlyArray<readonly string[]>,
  columns: readonly Column[] = [],
): string[] {
  const widths = columns.map(({ min = 0 }) => min);
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, columns[column]?.align))
      .join('  ')
      .trimEnd(),
  );
}

function pad(cell: string, width: number, align: Column['align']): string {
  const blanks = ' '.repeat(width - displayWidth(cell));
  return align === 'right' ? blanks + cell : cell + blanks;
}
