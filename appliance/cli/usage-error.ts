import type { CommanderError } from 'commander';
import { LandfallError } from '#contract/errors.ts';

/**
 * Returns a message of commander about a command line as an error of ours.
 * @param command the names of the command that the line calls, outermost first; empty for none
 */
export function usageError(error: CommanderError, command: readonly string[]): LandfallError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const help = ['landfall', 'help', ...command].join(' ');
  return new LandfallError('USAGE', message, {
    hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? `Read \`${help}\`.`,
    cause: error,
  });
}
