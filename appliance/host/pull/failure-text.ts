import { plainLine } from '#contract/text/plain-line.ts';

/** Enough of a chain of causes, outermost first. Characters. */
const most = 400;

/** What an engine says of a failed download, as one line that may be shown. */
export function failureText(words: string): string {
  return plainLine(withoutQueries(words), most);
}

/** Addresses of content carry a signature in their query that opens it to whoever has it. */
function withoutQueries(words: string): string {
  return words.replace(/\?[^\s"']+/g, '?…');
}
