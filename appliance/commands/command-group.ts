import type { Command } from 'commander';
import { addSubcommands } from '#cli/subcommands.ts';
import { rootCommand } from './root-command.ts';

/**
 * Returns a command with subcommands that must be run as root.
 * @param usual the default subcommand
 */
export function commandGroup(name: string, usual: Command, others: readonly Command[]): Command {
  return addSubcommands(rootCommand(name), usual, others);
}
