import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';

/** Returns a command of which nothing runs unless the user is root, its subcommands included. */
export function rootCommand(name: string): Command {
  return new Command(name).hook('preAction', (_command, called) => {
    if (process.getuid?.() === 0) return;
    const call = callOf(called);
    // Arguments are left out: one of them may be a secret.
    throw new LandfallError('NOT_ROOT', `${call} must be run as root`, {
      hint: `Run: sudo ${call}`,
    });
  });
}

/** The names of the program, the command and the subcommand: `landfall models pull`. */
function callOf(command: Command): string {
  return command.parent ? `${callOf(command.parent)} ${command.name()}` : command.name();
}
