import { styleText } from 'node:util';
import type { Row } from './table.ts';

/** The part of a stream that matters here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Colour for terminals only; `NO_COLOR` (no-color.org) and `TERM=dumb` turn it off. */
export function wantsColour(screen: Screen, env: NodeJS.ProcessEnv): boolean {
  return screen.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Rows as lines that fit a terminal; long ones go on below. */
export function paint(rows: readonly Row[], columns: number, colour: boolean): string[] {
  return rows.flatMap(({ text, colour: format }) =>
    wrap(text, columns).map((line) =>
      colour && format ? styleText(format, line, { validateStream: false }) : line,
    ),
  );
}

/** Breaks at blanks where it can. What goes on is indented. */
export function wrap(text: string, columns: number): string[] {
  const width = Math.max(columns, 20);
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const at = blank > width / 2 ? blank : width;
    lines.push(rest.slice(0, at).trimEnd());
    rest = `  ${rest.slice(at).trimStart()}`;
  }
  return [...lines, rest];
}
