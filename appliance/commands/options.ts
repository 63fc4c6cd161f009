import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LandfallError } from '#contract/errors.ts';

/**
 * Reads a command's options, strictly: nothing that it does not know, no arguments besides.
 * @param command its name, as people type it
 * @throws LandfallError USAGE
 */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new LandfallError('USAGE', `landfall ${command} does not take ${args.join(' ')}`, {
      hint: known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes nothing.',
      cause,
    });
  }
}
