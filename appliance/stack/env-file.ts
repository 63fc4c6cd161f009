import { LandfallError } from '#contract/errors.ts';

/**
 * Writes variables as a file that sh and Compose read alike: single quotes,
 * in which nothing has a meaning. Empty values are written too.
 * @throws LandfallError STATE_INVALID for a value that cannot be quoted so; it is not repeated
 */
export function envFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${quotable(name, value)}'\n`)
    .join('');
}

function quotable(name: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be in it
  if (!/['\\\u0000-\u001f\u007f]/.test(value)) return value;
  throw new LandfallError('STATE_INVALID', `${name} holds a quote, a backslash or a line break`, {
    hint: `Set it again without those: sudo landfall secret set ${name}`,
  });
}
