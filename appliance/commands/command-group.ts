import type { Command } from 'commander';
import { addSubcommands } from '#cli/subcommands.ts';
import { rootCommand } from './root-command.ts';

/**
 * Returns a command with subcommands that must be run as root.
 * @param defaultCommand the default subcommand
 */
export function commandGroup(
  name: string,
  defaultCommand: Command,
  others: readonly Command[],
): Command {
  return addSubcommands(rootCommand(name), defaultCommand, others);
}
