import { displayWidth } from './display-width.ts';

/** How one column of a table is laid out. */
interface Column {
  /** Default: left. */
  readonly align?: 'left' | 'right';
  /** Columns of the terminal that it takes at least, so that a table drawn again stays in place. */
  readonly least?: number;
}

/**
 * Formats rows of cells as aligned columns with two spaces between them and none at the end.
 * @param columns layout of the first columns; the others are aligned left
 */
export function formatTable(
  rows: ReadonlyArray<readonly string[]>,
  columns: readonly Column[] = [],
): string {
  return alignRows(rows, columns).join('\n');
}

/** Formats the same table as one line a row. */
export function alignRows(
  rows: ReadonlyArray<readonly string[]>,
  columns: readonly Column[] = [],
): string[] {
  const widths = columns.map(({ least = 0 }) => least);
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
