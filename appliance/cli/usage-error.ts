import type { CommanderError } from 'commander';
import { LandfallError } from '#contract/errors.ts';

/**
 * Converts a usage error of Commander to a LandfallError.
 * @param command the names of the called command, outermost first; empty for none
 */
export function usageError(error: CommanderError, command: readonly string[]): LandfallError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const help = ['landfall', 'help', ...command].join(' ');
  return new LandfallError('USAGE', message, {
    hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? `Run \`${help}\`.`,
    cause: error,
  });
}
