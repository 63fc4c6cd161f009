import { Command } from 'commander';

/** The streams that a program writes to. */
export interface Output {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

interface ProgramParts {
  readonly description: string;
  /** What `--version` prints. */
  readonly version: string;
  /** What the help shows below the list of commands. */
  readonly help: string;
  readonly commands: readonly Command[];
  /** Commands that only other programs call: help and completion leave them out. */
  readonly hiddenCommands?: readonly Command[];
}

/** Returns the program `landfall`. It throws usage errors and exits nowhere, so tests can call it. */
export function createProgram({ stdout, stderr }: Output, parts: ProgramParts): Command {
  const program = new Command('landfall')
    .description(parts.description)
    .version(parts.version)
    .addHelpText('after', parts.help)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // `runProgram` prints every error, in one form.
      outputError: () => {},
    })
    .showSuggestionAfterError()
    .exitOverride();
  for (const command of parts.commands) program.addCommand(command);
  for (const command of parts.hiddenCommands ?? []) program.addCommand(command, { hidden: true });
  shareSettings(program);
  return program;
}

/** commander only shares settings with subcommands that it makes itself. */
function shareSettings(parent: Command): void {
  for (const command of parent.commands) shareSettings(command.copyInheritedSettings(parent));
}
