import type { Command } from 'commander';

/**
 * Adds subcommands to a command.
 * @param usual the default subcommand
 */
export function addSubcommands(
  group: Command,
  usual: Command,
  others: readonly Command[],
): Command {
  group.addCommand(usual, { isDefault: true });
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
