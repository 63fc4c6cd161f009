import { stripEscapeSequences } from './escape-sequences.ts';
import { unprintable } from './unprintable.ts';

/**
 * Converts an untrusted line to one line of plain text: no colours, no cursor movement, no line
 * breaks, limited length. Output of programs is shown on consoles and pages.
 */
export function plainLine(text: string, most = 200): string {
  // Limit the input: a program may write megabytes without a line break.
  const line = stripEscapeSequences(text.slice(0, most * 8))
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
