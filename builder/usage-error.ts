import type { CommanderError } from 'commander';
import { LandfallError } from '#contract/errors.ts';

/**
 * What commander says about a command line, as an error of ours.
 * @param command the first word of the command line, where it is a command
 */
export function usageError(error: CommanderError, command: string | undefined): LandfallError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const help = command === undefined ? 'landfall help' : `landfall help ${command}`;
  return new LandfallError('USAGE', message, {
    hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? `Read \`${help}\`.`,
    cause: error,
  });
}
