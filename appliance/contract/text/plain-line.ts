import { stripVTControlCharacters } from 'node:util';

/**
 * A line from anywhere as one line of plain text: no colours, no cursor movement, no line breaks,
 * and not longer than a screen is wide twice over. What programs print ends on consoles and pages.
 */
export function plainLine(text: string, most = 200): string {
  // Only so much is looked at: a program may write megabytes without a line break.
  const line = stripVTControlCharacters(text.slice(0, most * 8))
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** Control characters, and those that turn the direction of text around or hide it. */
const unprintable = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
