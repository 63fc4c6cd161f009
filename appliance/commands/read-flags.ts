import { parseArgs } from 'node:util';
import { LandfallError } from '#contract/errors.ts';

/**
 * Which of these flags were given.
 * @throws LandfallError USAGE for anything else
 */
export function readFlags<Name extends string>(
  command: string,
  args: readonly string[],
  names: readonly Name[],
): Readonly<Record<Name, boolean>> {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' } as const]));
    const { values } = parseArgs({ args: [...args], options, strict: true });
    const given = names.map((name): [Name, boolean] => [name, values[name] === true]);
    // The compiler cannot see that the entries are the names that were asked for.
    return Object.fromEntries(given) as Record<Name, boolean>;
  } catch {
    const known = names.map((name) => `--${name}`).join(', ');
    throw new LandfallError('USAGE', `landfall ${command} does not take ${args.join(' ')}`, {
      hint: `It takes ${known}.`,
    });
  }
}
