import { type Command, CommanderError } from 'commander';
import { errorToJson } from '#contract/error-json.ts';
import { exitCodeOf } from '#contract/errors.ts';
import type { Output } from './program.ts';
import { usageError } from './usage-error.ts';

/** The exit code of a command line without a command, for which the help is shown. */
const helpExit = 2;

/**
 * Runs a command line and returns its exit code. Errors are printed here and nowhere else: for
 * people on stderr, with `--json` as one object on stdout.
 * @param args what follows the program's name
 * @param formatError an error as people read it, without the last line break
 */
export async function runProgram(
  program: Command,
  args: readonly string[],
  { stdout, stderr }: Output,
  formatError: (error: unknown) => string,
): Promise<number> {
  try {
    await program.parseAsync(expandHelp(program, args), { from: 'user' });
    return 0;
  } catch (reason) {
    if (isHelp(reason)) return reason.exitCode === 0 ? 0 : helpExit;
    const error =
      reason instanceof CommanderError ? usageError(reason, calledCommand(program, args)) : reason;
    if (wantsJson(args)) stdout.write(`${JSON.stringify(errorToJson(error))}\n`);
    else stderr.write(`${formatError(error)}\n`);
    return exitCodeOf(error);
  }
}

/**
 * Turns `help models pull` into `models pull --help`: commander's `help` takes one name, and shows the
 * whole help where it does not know it.
 */
function expandHelp(program: Command, args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first !== 'help') return args;
  const names = rest.filter((word) => !word.startsWith('-'));
  let command = program;
  for (const name of names) {
    const next = command.commands.find((each) => each.name() === name);
    command = next ?? command.error(`error: unknown command '${name}'`);
  }
  return [...names, '--help'];
}

/** Help and --version have been printed when commander throws for them. */
function isHelp(reason: unknown): reason is CommanderError {
  return (
    reason instanceof CommanderError && (reason.exitCode === 0 || reason.code === 'commander.help')
  );
}

/** The names of the command and the subcommand that the first words name. */
function calledCommand(program: Command, [name, ...rest]: readonly string[]): string[] {
  const command = program.commands.find((each) => each.name() === name);
  return command ? [command.name(), ...calledCommand(command, rest)] : [];
}

/** Read off the words, because a command line that makes no sense has no options yet. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}
