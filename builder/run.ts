import { CommanderError } from 'commander';
import { errorToJson } from '#contract/error-json.ts';
import { exitCodeOf } from '#contract/errors.ts';
import type { CommandContext } from './commands/context.ts';
import { landfallProgram } from './program.ts';
import { formatError } from './progress/print-error.ts';
import { styleFor } from './progress/style.ts';
import { usageError } from './usage-error.ts';

/** The exit code of a command line without a command, for which the help is shown. */
const helpExit = 2;

/**
 * Runs a command line and gives its exit code. Errors are printed here and nowhere else: for
 * people on stderr, with `--json` as one object on stdout.
 * @param args what follows the program's name
 */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const program = landfallProgram(context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (reason) {
    if (isHelp(reason)) return reason.exitCode === 0 ? 0 : helpExit;
    const command = program.commands.find((each) => each.name() === args[0])?.name();
    const error = reason instanceof CommanderError ? usageError(reason, command) : reason;
    if (wantsJson(args)) context.stdout.write(`${JSON.stringify(errorToJson(error))}\n`);
    else context.stderr.write(`${formatError(error, styleFor(context.stderr, context.env))}\n`);
    return exitCodeOf(error);
  }
}

/** Help and --version have been printed when commander throws for them. */
function isHelp(reason: unknown): reason is CommanderError {
  return (
    reason instanceof CommanderError && (reason.exitCode === 0 || reason.code === 'commander.help')
  );
}

/** Read off the words, because a command line that makes no sense has no options yet. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}
