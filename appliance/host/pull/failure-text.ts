import { plainLine } from '#contract/text/plain-line.ts';

/** Characters. Enough for a chain of causes, outermost first. */
const maxLength = 400;

/** Returns the error of a failed pull by Docker or Ollama as one plain line without secrets. */
export function failureText(error: string): string {
  return plainLine(withoutQueries(error), maxLength);
}

/** Removes query strings, which contain signatures that grant access to content. */
function withoutQueries(text: string): string {
  return text.replace(/\?[^\s"']+/g, '?…');
}
