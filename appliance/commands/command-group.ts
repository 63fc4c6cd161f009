import type { Command } from 'commander';
import { rootCommand } from './root-command.ts';

/**
 * Returns a command with subcommands that must be run as root.
 * @param usual the default subcommand
 */
export function commandGroup(name: string, usual: Command, others: readonly Command[]): Command {
  const group = rootCommand(name).addCommand(usual, { isDefault: true });
  for (const command of others) group.addCommand(command);
  return group.hook('preSubcommand', () => refuseUnknown(group, usual));
}

/** commander passes an unknown word to the default subcommand as an argument. */
function refuseUnknown(group: Command, usual: Command): void {
  const [word = usual.name()] = group.args;
  const names = group.commands.map((command) => command.name());
  const aliases = group.commands.flatMap((command) => command.aliases());
  if (word.startsWith('-') || [...names, ...aliases].includes(word)) return;
  group.error(`error: unknown command '${word}'\n(Choose from: ${names.join(', ')}.)`);
}
