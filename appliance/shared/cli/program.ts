import { Command, type CommandUnknownOpts } from 'commander';

/** The streams that a program writes to. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

interface ProgramParts {
  readonly description: string;
  /** What `--version` prints. */
  readonly version: string;
  /** Text below the list of commands in the help. */
  readonly help: string;
  /** By the heading of their group in the help. The last group also has `help`. */
  readonly groups: Readonly<Record<string, readonly CommandUnknownOpts[]>>;
  /** Internal commands, which help and completion omit. */
  readonly hiddenCommands?: readonly CommandUnknownOpts[];
}

/**
 * Creates the program `landfall`. It throws usage errors instead of exiting, so tests can call it.
 */
export function createProgram({ stdout, stderr }: Output, parts: ProgramParts) {
  const program = new Command('landfall')
    .description(parts.description)
    .version(parts.version)
    .addHelpText('after', parts.help)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // `runProgram` prints all errors in one format.
      outputError: () => {},
    })
    .showSuggestionAfterError()
    // Otherwise `probe` would consume the options of `probe hub`.
    .enablePositionalOptions()
    .exitOverride();
  for (const [heading, commands] of Object.entries(parts.groups)) {
    program.commandsGroup(`${heading}:`);
    for (const command of commands) program.addCommand(command);
  }
  for (const command of parts.hiddenCommands ?? []) program.addCommand(command, { hidden: true });
  shareSettings(program);
  // Afterwards: otherwise the subcommands would share its group.
  return program.helpCommand(true);
}

/** Commander shares settings only with subcommands that it creates itself. */
function shareSettings(parent: CommandUnknownOpts): void {
  for (const command of parent.commands) shareSettings(command.copyInheritedSettings(parent));
}
