import { wrap } from '#contract/text/wrap.ts';
import { roomOn, type Screen } from './screen.ts';

/** Returns sentences for a stream, without broken words on a terminal. Not for tables, and text to copy. */
export function wrapFor(screen: Screen, text: string): string {
  const columns = columnsOf(screen);
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => wrap(line, columns))
    .join('\n');
}

/** Returns the columns of a terminal for {@link wrap}; undefined for a file or a pipe. */
export function columnsOf(screen: Screen): number | undefined {
  return screen.isTTY ? roomOn(screen).columns : undefined;
}
