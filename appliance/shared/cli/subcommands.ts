import type { CommandUnknownOpts as Command } from 'commander';

/**
 * Adds subcommands to a command.
 * @param defaultCommand the default subcommand
 */
export function addSubcommands(
  group: Command,
  defaultCommand: Command,
  others: readonly Command[],
): Command {
  group.addCommand(defaultCommand, { isDefault: true });
  for (const command of others) group.addCommand(command);
  return group.hook('preSubcommand', () => refuseUnknown(group, defaultCommand));
}

/** commander passes an unknown word to the default subcommand as an argument. */
function refuseUnknown(group: Command, defaultCommand: Command): void {
  const [word = defaultCommand.name()] = group.args;
  const names = group.commands.map((command) => command.name());
  const aliases = group.commands.flatMap((command) => command.aliases());
  if (word.startsWith('-') || [...names, ...aliases].includes(word)) return;
  // A version, a path or a URL, which no subcommand looks like.
  if (defaultCommand.registeredArguments.length > 0 && /[./]/.test(word)) return;
  group.error(`error: unknown command '${word}'\n(Choose from: ${names.join(', ')}.)`);
}
