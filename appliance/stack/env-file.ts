import { LandfallError } from '#contract/errors.ts';

/**
 * Formats variables as a file that sh and Compose parse the same way: values in single quotes, without
 * escapes. Includes empty values.
 * @throws LandfallError STATE_INVALID for a value that cannot be quoted; the error omits the value
 */
export function envFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${quotable(name, value)}'\n`)
    .join('');
}

function quotable(name: string, value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be in it
  if (!/['\\\u0000-\u001f\u007f]/.test(value)) return value;
  throw new LandfallError(
    'STATE_INVALID',
    `${name} contains a quote, a backslash or a control character`,
    {
      hint: `Set it again without these characters: sudo landfall secret set ${name}`,
    },
  );
}
