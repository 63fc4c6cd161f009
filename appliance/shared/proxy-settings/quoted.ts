import { LandfallError } from '#contract/errors.ts';

/**
 * Returns a text in single quotes, which sh, bash, zsh and fish read alike.
 * @throws LandfallError USAGE for a quote, a backslash or a control character, which they read
 * differently
 */
export function quoted(text: string): string {
  if (!/['\\\p{Cc}]/u.test(text)) return `'${text}'`;
  throw new LandfallError('USAGE', 'a value contains a quote, a backslash or a control character', {
    hint: 'Percent-encode it in a URL, or use a folder without it.',
  });
}
