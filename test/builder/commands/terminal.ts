import { PassThrough, Readable } from 'node:stream';
import type { CommandUnknownOpts as Command } from 'commander';
import type { CommandContext } from '../../../builder/commands/context.ts';

/** A context for one command with its own folder and streams, without a terminal. */
export interface TestTerminal {
  readonly context: CommandContext;
  /** Returns the output on stdout since the last call. */
  out(): string;
  /** Returns the output on stderr since the last call. */
  err(): string;
  /** The exit code that a command set; 0 without one. */
  exitCode(): number;
}

export function terminalIn(cwd: string, env: NodeJS.ProcessEnv = {}, input = ''): TestTerminal {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let exitCode = 0;
  return {
    context: {
      ...{ stdout, stderr, stdin: Readable.from([input]), cwd, interactive: false },
      // Tests must not use the keys of the user who runs them.
      env: { HOME: cwd, ...env },
      setExitCode: (code) => {
        exitCode = code;
      },
    },
    out: () => String(stdout.read() ?? ''),
    err: () => String(stderr.read() ?? ''),
    exitCode: () => exitCode,
  };
}

/** Runs a single command like the program. */
export async function runCommand(
  make: (context: CommandContext) => Command,
  terminal: TestTerminal,
  ...args: string[]
): Promise<void> {
  const command = make(terminal.context).exitOverride();
  // `runProgram` prints errors, not the command.
  for (const each of [command, ...command.commands])
    each.configureOutput({ outputError: () => {} });
  await command.parseAsync(args, { from: 'user' });
}
