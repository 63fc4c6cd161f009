import type { CommanderError } from 'commander';
import { LandfallError } from '#contract/errors.ts';

/**
 * Returns a message of commander about a command line as an error of ours.
 * @param command the names of the command that the line calls, outermost first; empty for none
 */
export function usageError(error: CommanderError, command: readonly string[]): LandfallError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  return new LandfallError('USAGE', message, {
    hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? `Read \`${helpCall(command)}\`.`,
    cause: error,
  });
}

/** `landfall help` ignores the second of two names. */
function helpCall(command: readonly string[]): string {
  if (command.length > 1) return `landfall ${command.join(' ')} --help`;
  return ['landfall', 'help', ...command].join(' ');
}
