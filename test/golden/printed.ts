import { LandfallError } from '#contract/errors.ts';
import type { Paint } from '#contract/text/paint.ts';
import type { Row } from '../../appliance/server/progress/terminal/table.ts';
import { renderRows } from '../../appliance/server/progress/terminal/watch.ts';

/** Marks colours as `[red]…[/red]`, so that a change of a colour is a change of the text. */
export const marked: Paint = (style, text) => `[${style}]${text}[/${style}]`;

/** Formats rows as on a wide terminal. */
export function textOfRows(rows: readonly Row[]): string {
  return `${renderRows(rows, Number.POSITIVE_INFINITY, marked).join('\n')}\n`;
}

/** Runs a command and returns what it writes to the console: lines of stderr begin with `! `. */
export async function printed(run: () => unknown): Promise<string> {
  const lines: string[] = [];
  const { log, error } = console;
  console.log = (...texts: unknown[]) => void lines.push(texts.join(' '));
  console.error = (...texts: unknown[]) => void lines.push(`! ${texts.join(' ')}`);
  try {
    await run();
  } catch (reason) {
    if (!(reason instanceof LandfallError)) throw reason;
    lines.push(`throws ${reason.code}: ${reason.message}`);
  } finally {
    Object.assign(console, { log, error });
  }
  return lines.map((line) => `${line}\n`).join('');
}
