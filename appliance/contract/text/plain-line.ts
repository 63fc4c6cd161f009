import { stripEscapeSequences } from './escape-sequences.ts';
import { unprintable } from './unprintable.ts';

/**
 * A line from anywhere as one line of plain text: no colours, no cursor movement, no line breaks,
 * and not longer than a screen is wide twice over. What programs print ends on consoles and pages.
 */
export function plainLine(text: string, most = 200): string {
  // Only so much is looked at: a program may write megabytes without a line break.
  const line = stripEscapeSequences(text.slice(0, most * 8))
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
