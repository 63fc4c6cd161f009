import { type CommandUnknownOpts as Command, CommanderError } from 'commander';
import { errorToJson, exitCodeOf, LandfallError } from '#contract/errors.ts';
import type { Output } from './program.ts';

/** The exit code of a command line without a command, which prints the help. */
const helpExit = 2;

/**
 * Runs a command line and returns its exit code. Only this function prints errors: as text on
 * stderr, or with `--json` as one object on stdout.
 * @param args the arguments after the program's name
 * @param formatError formats an error for users, without the last line break
 */
export async function runProgram(
  program: Command,
  args: readonly string[],
  { stdout, stderr }: Output,
  formatError: (error: unknown) => string,
): Promise<number> {
  try {
    const [only] = args;
    const isVersion = args.length === 1 && ['version', '-v'].includes(only ?? '');
    await program.parseAsync(isVersion ? ['--version'] : expandHelp(program, args), {
      from: 'user',
    });
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
 * Rewrites `help models pull` to `models pull --help`. Commander's `help` takes one name and prints
 * the whole help for an unknown one.
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

/** Commander has already printed the help or the version when it throws these. */
function isHelp(reason: unknown): reason is CommanderError {
  return (
    reason instanceof CommanderError && (reason.exitCode === 0 || reason.code === 'commander.help')
  );
}

/**
 * Converts a usage error of Commander to a LandfallError.
 * @param command the names of the called command, outermost first; empty for none
 */
function usageError(error: CommanderError, command: readonly string[]): LandfallError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const help = ['landfall', 'help', ...command].join(' ');
  return new LandfallError('USAGE', message, {
    hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? {
      en: `Run \`${help}\`.`,
      zh: `运行 \`${help}\` 查看用法。`,
    },
    cause: error,
  });
}

/** Returns the names of the command and the subcommand in a command line. */
function calledCommand(program: Command, [name, ...rest]: readonly string[]): string[] {
  const command = program.commands.find((each) => each.name() === name);
  return command ? [command.name(), ...calledCommand(command, rest)] : [];
}

/**
 * Returns whether a command line asks for JSON. Searches the words, because an invalid command line has no
 * parsed options.
 */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}
