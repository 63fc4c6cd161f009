import { stripEscapeSequences } from './display-width.ts';
import { unprintable } from './unprintable.ts';

/**
 * Converts an untrusted line to one line of plain text: no colours, no cursor movement, no line
 * breaks, limited length. Output of programs is shown on consoles and pages.
 */
export function plainLine(text: string, max = 200): string {
  // Limit the input: a program may write megabytes without a line break.
  const line = stripEscapeSequences(text.slice(0, max * 8))
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
