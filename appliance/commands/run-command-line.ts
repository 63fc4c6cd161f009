import { LandfallError } from '#contract/errors.ts';
import type { Command } from './command.ts';
import { describeCommand, describeCommands, namesForPeople } from './help.ts';

type Commands = Readonly<Record<string, Command>>;

const help = ['help', '--help', '-h'];

/**
 * Runs what people type after `landfall`. Whoever asks for help gets it, and nothing else happens.
 * @throws LandfallError USAGE, NOT_ROOT; what the command throws
 */
export async function runCommandLine(
  commands: Commands,
  [name = 'help', ...args]: readonly string[],
): Promise<void> {
  if (help.includes(name)) return console.log(helpWith(commands, args));
  const command = commandOf(commands, name);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    return console.log(describeCommand(name, command));
  }
  if (command.root && process.getuid?.() !== 0) {
    throw new LandfallError('NOT_ROOT', `landfall ${name} takes root`, {
      hint: `Run: sudo landfall ${[name, ...args].join(' ')}`,
    });
  }
  await command.run(args);
}

function helpWith(commands: Commands, args: readonly string[]): string {
  const [name, ...more] = args.filter((arg) => !help.includes(arg));
  if (name === undefined) return describeCommands(commands);
  if (more.length === 0) return describeCommand(name, commandOf(commands, name));
  throw new LandfallError('USAGE', `landfall help takes one command, not also ${more.join(' ')}`, {
    hint: `Run: landfall help ${name}`,
  });
}

function commandOf(commands: Commands, name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  throw new LandfallError('USAGE', `there is no command ${JSON.stringify(name)}`, {
    hint: `Commands: ${namesForPeople(commands).join(', ')}.`,
  });
}
