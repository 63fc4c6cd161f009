import { plainLine } from '#contract/text/plain-line.ts';
import { secretLooks } from './secret-signs.ts';

/** Returns a value of a site for messages, on one line. A value that may be a secret is not shown. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'the default';
  const text = JSON.stringify(value);
  if (secretLooks(text)) return 'another value';
  return plainLine(text, 80);
}
