import { plainLine } from '#contract/text/plain-line.ts';
import { secretLooks } from '#explain/secret-signs.ts';

const hidden = '(hidden: looks like a secret)';

/** Longest text in a table. URLs and image references are shorter than 1024 characters. */
const maxLength = 1024;

/** Returns a text from an untrusted file as one plain line; replaces a text that looks like a secret. */
export function safeText(text: string): string {
  return hideSecret(plainLine(text, maxLength));
}

/** Returns a text, or a replacement if it looks like a secret: `- TOKEN=…`, a URL with a password. */
export function hideSecret(text: string): string {
  // Entries of YAML lists start with a dash, assignments in them with a quote.
  return secretLooks(text.replace(/^[\s-]*["']?/, '')) ? hidden : text;
}

/** Encodes a result as JSON without texts that look like secrets. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' ? hideSecret(each) : each,
  );
}
