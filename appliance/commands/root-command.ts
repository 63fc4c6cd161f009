import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';

/** Returns a command that must be run as root, including its subcommands. */
export function rootCommand(name: string): Command {
  return new Command(name).hook('preAction', (_command, called) => {
    if (process.getuid?.() === 0) return;
    const call = callOf(called);
    // Arguments are omitted, because one may be a secret.
    throw new LandfallError('NOT_ROOT', `${call} must be run as root`, {
      hint: `Run: sudo ${call}`,
    });
  });
}

/** Returns the command line without arguments: `landfall models pull`. */
function callOf(command: Command): string {
  return command.parent ? `${callOf(command.parent)} ${command.name()}` : command.name();
}
