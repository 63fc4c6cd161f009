import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LandfallError } from '#contract/errors.ts';

/**
 * Reads a command's options, strictly.
 * @throws LandfallError USAGE
 */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (cause) {
    throw new LandfallError('USAGE', cause instanceof Error ? cause.message : String(cause), {
      hint: 'See: landfall help',
      cause,
    });
  }
}
