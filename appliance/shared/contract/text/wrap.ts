import { isWide, startWithin } from './display-width.ts';

/** Columns of a text whose reader's terminal is not known, such as a login message. */
export const defaultColumns = 80;

/**
 * Wraps a line at spaces, or between Chinese characters, and indents what follows. Only a word that is longer
 * than a line is broken, and a command in backticks that is.
 */
export function wrap(text: string, columns: number): string[] {
  const width = Math.max(columns, 20);
  const own = /^ */.exec(text)?.[0].length ?? 0;
  const indent = ' '.repeat(own > width / 2 ? 2 : own + 2);
  const lines: string[] = [];
  let rest = text;
  for (;;) {
    const { length } = startWithin(rest, width);
    if (length === rest.length) return [...lines, rest];
    const at = breakBefore(rest, length, lines.length === 0 ? own : indent.length);
    lines.push(rest.slice(0, at).trimEnd());
    rest = `${indent}${rest.slice(at).trimStart()}`;
  }
}

/** They begin no line. A text and no pattern: esbuild escapes only texts. */
const closing = '，。；：！？、）”';
/** They end no line. */
const opening = '（“';

/**
 * Returns the last place up to `length` where a line may end, if possible outside of a command in backticks, which
 * people copy; `length` if there is none.
 */
function breakBefore(text: string, length: number, indent: number): number {
  const places: number[] = [];
  for (let at = length; at > indent; at -= 1) if (mayEndAt(text, at)) places.push(at);
  const outside = places.find((at) => text.slice(0, at).split('`').length % 2 === 1);
  return outside ?? places[0] ?? length;
}

function mayEndAt(text: string, at: number): boolean {
  const [before = '', after = '', next = ''] = [text[at - 1], text[at], text[at + 1]];
  // Not between a number and its unit: `2 核`.
  if (after === ' ') return before !== ' ' && !(/\d/.test(before) && isWide(next));
  return isWide(before) && isWide(after) && !closing.includes(after) && !opening.includes(before);
}
