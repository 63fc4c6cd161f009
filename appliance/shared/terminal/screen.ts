/** The properties of a stream that drawing needs. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Returns whether rows can be redrawn in place: on terminals, except `TERM=dumb` and logs of CI. */
export function canRedraw({ isTTY }: Screen, env: NodeJS.ProcessEnv): boolean {
  return isTTY === true && env.TERM !== 'dumb' && !env.CI;
}

/**
 * Returns the columns and rows that can be redrawn. One column less than the screen, because some
 * terminals wrap when the last column is filled; one row less for the cursor.
 */
export function roomOn({ columns, rows }: Screen): { columns: number; rows: number } {
  // A serial console of unknown size reports 0.
  return { columns: (columns || 80) - 1, rows: (rows || 24) - 1 };
}
