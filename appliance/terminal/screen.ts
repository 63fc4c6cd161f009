/** The part of a stream that drawing needs. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Colour for terminals only; `NO_COLOR` (no-color.org) and `TERM=dumb` turn it off. */
export function wantsColour(screen: object, env: NodeJS.ProcessEnv): boolean {
  return 'isTTY' in screen && screen.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/**
 * The columns and rows that can be drawn over again. One column less than there are: some terminals
 * go on to the next line when the last column is filled. One row less: the cursor stands below.
 */
export function roomOn({ columns, rows }: Screen): { columns: number; rows: number } {
  // A serial console reports a size of 0 where it does not know its size.
  return { columns: (columns || 80) - 1, rows: (rows || 24) - 1 };
}
