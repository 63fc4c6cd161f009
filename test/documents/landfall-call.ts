import { PassThrough } from 'node:stream';
import { type CommandUnknownOpts as Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import type { Output } from '#cli/program.ts';
import { runProgram } from '#cli/run-program.ts';
import { serverProgram } from '../../appliance/commands/program.ts';
import { landfallProgram } from '../../builder/bin/program.ts';
import { terminalIn } from '../builder/commands/terminal.ts';
import type { CommandLine } from './command-lines.ts';
import { placeholder } from './split-shell.ts';

/** Errors of code in a sentence, which names a command or an option without the rest. */
const abbreviations: ReadonlySet<string> = new Set([
  'commander.missingArgument',
  'commander.optionMissingArgument',
  'commander.missingMandatoryOptionValue',
]);

/**
 * Parses a call of `landfall` with the definitions of the programs, without its actions. A call
 * with `sudo` is one of a server; other calls must be accepted by the laptop's or the server's
 * program.
 * @param args the words after `landfall`
 * @returns why it is rejected; undefined if it is accepted
 */
export async function rejectionOf(
  args: readonly string[],
  { sudo, complete }: Pick<CommandLine, 'sudo' | 'complete'>,
): Promise<string | undefined> {
  // `landfall help <command>`.
  if (args[0] === 'help' && args[1] === placeholder) return undefined;
  // Code in a sentence leaves `sudo` out as well.
  const uid = vi.spyOn(process, 'getuid').mockReturnValue(sudo || !complete ? 0 : 1000);
  const output = { stdout: new PassThrough(), stderr: new PassThrough() };
  const onServer = await parse(serverProgram(output), args, output, complete);
  const laptop = () => parse(landfallProgram(terminalIn('.').context), args, output, complete);
  const onLaptop = sudo ? onServer : await laptop();
  uid.mockRestore();
  return onServer === undefined || onLaptop === undefined ? undefined : `${onLaptop}; ${onServer}`;
}

async function parse(
  program: Command,
  args: readonly string[],
  output: Output,
  complete: boolean,
): Promise<string | undefined> {
  disarm(program);
  let rejection: string | undefined;
  await runProgram(program, args, output, (error) => {
    const cause = error instanceof Error ? error.cause : undefined;
    const short = cause instanceof CommanderError && abbreviations.has(cause.code);
    if (complete || !short) rejection = String(error);
    return '';
  });
  return rejection;
}

/** Replaces what commands do by nothing, and accepts placeholders as values. */
function disarm(command: Command): void {
  for (const each of [...command.options, ...command.registeredArguments]) {
    const parseValue = each.parseArg;
    if (parseValue === undefined) continue;
    each.argParser((value, previous) =>
      value.includes(placeholder) ? value : parseValue.call(each, value, previous),
    );
  }
  // The program itself has no action: it must reject unknown commands.
  if (command.parent) command.action(() => {});
  for (const each of command.commands) disarm(each);
}
