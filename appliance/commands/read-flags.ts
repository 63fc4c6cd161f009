import { readOptions } from './options.ts';

/**
 * Which of these flags were given.
 * @throws LandfallError USAGE for anything else
 */
export function readFlags<Name extends string>(
  command: string,
  args: readonly string[],
  names: readonly Name[],
): Readonly<Record<Name, boolean>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' } as const]));
  const values = readOptions(command, args, options);
  const given = names.map((name): [Name, boolean] => [name, values[name] === true]);
  // The compiler cannot see that the entries are the names that were asked for.
  return Object.fromEntries(given) as Record<Name, boolean>;
}
