import { CommanderError } from 'commander';
import { errorToJson } from '#contract/error-json.ts';
import { exitCodeOf } from '#contract/errors.ts';
import type { CommandContext } from './commands/context.ts';
import { landfallProgram } from './program.ts';
import { formatError } from './report/print-error.ts';
import { styleFor } from './report/style.ts';

/** The exit code for a command line that makes no sense. */
const usageExit = 2;

/**
 * Runs a command line and gives its exit code. Errors are printed here and nowhere else: for
 * people on stderr, with `--json` as one object on stdout.
 * @param args what follows the program's name
 */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    await landfallProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed its own message; help and --version are no errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExit;
    if (args.includes('--json')) context.stdout.write(`${JSON.stringify(errorToJson(error))}\n`);
    else context.stderr.write(`${formatError(error, styleFor(context.stderr, context.env))}\n`);
    return exitCodeOf(error);
  }
}
