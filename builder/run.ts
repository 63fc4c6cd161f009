import { runProgram } from '#cli/run-program.ts';
import { formatError } from '#contract/text/error.ts';
import { languageOfLocale, setLanguage } from '#contract/text/language.ts';
import { paintFor } from '#terminal/paint-for.ts';
import type { CommandContext } from './commands/context.ts';
import { landfallProgram } from './program.ts';

/**
 * Runs a command line and returns its exit code.
 * @param args arguments without the program's name
 */
export function run(args: readonly string[], context: CommandContext): Promise<number> {
  setLanguage(languageOfLocale(context.env));
  const paint = paintFor(context.stderr, context.env);
  return runProgram(landfallProgram(context), args, context, (error) =>
    formatError(error, { paint }),
  );
}
