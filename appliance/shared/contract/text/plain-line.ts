import { stripEscapeSequences } from './display-width.ts';

/** Control characters, and characters that reverse or hide text. */
export const unprintable =
  /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

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

const entities: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
};

/** Escapes a text for the content and the quoted attributes of HTML and XML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
