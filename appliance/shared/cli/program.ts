import { Command, type CommandUnknownOpts, Help } from 'commander';
import { currentLanguage, say } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { wrap } from '#contract/text/wrap.ts';

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
    .configureHelp({ styleTitle: titled, styleDescriptionText: described, boxWrap })
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

/** Translates a heading, which ends with a colon. */
function titled(heading: string): string {
  return heading.replace(/[^:]+/, translated);
}

/** Translates a description, and the choices and the default that commander adds to it. */
function described(text: string): string {
  const whole = translated(text);
  const [, own, added] = /^(.*) (\((?:choices|default): .*\))$/s.exec(text) ?? [];
  if (whole !== text || own === undefined || added === undefined) return whole;
  return `${translated(own)}${say(' ', '')}${translated(added)}`;
}

/** Wraps a description. Commander breaks lines only at spaces, which Chinese does not have. */
function boxWrap(this: Help, text: string, width: number): string {
  if (currentLanguage() === 'en') return Help.prototype.boxWrap.call(this, text, width);
  const lines = text.split('\n').flatMap((line) => wrap(line, width));
  return lines.map((line) => line.trimStart()).join('\n');
}

/** Commander shares settings only with subcommands that it creates itself. */
function shareSettings(parent: CommandUnknownOpts): void {
  for (const command of parent.commands) shareSettings(command.copyInheritedSettings(parent));
}
