import { isWide, startWithin } from './display-width.ts';

/** Columns of a text whose reader's terminal is not known, such as a login message. */
export const defaultColumns = 80;

/**
 * Wraps a line at spaces, or between Chinese characters, and indents what follows. Only a word that is longer
 * than a line is broken.
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

/** Returns the last place up to `length` where a line may end; `length` if there is none. */
function breakBefore(text: string, length: number, indent: number): number {
  for (let at = length; at > indent; at -= 1) {
    const [before = '', after = ''] = [text[at - 1], text[at]];
    if (after === ' ' && before !== ' ') return at;
    if (isWide(before) && isWide(after) && !closing.includes(after)) return at;
  }
  return length;
}
