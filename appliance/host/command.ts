import { execa } from 'execa';
import { LandfallError } from '#contract/errors.ts';

export interface CommandOptions {
  /** Written to the command's standard input: where secrets go, never into arguments. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After this many seconds the command is ended and counts as failed. */
  readonly seconds?: number;
  /** Exit codes other than 0 that are an answer, not a failure. */
  readonly accept?: readonly number[];
  /** Called with each line of output as it comes. */
  readonly onLine?: (line: string) => void;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a program of the system is run; tests give another one. */
export type RunCommand = (
  file: string,
  args: readonly string[],
  options?: CommandOptions,
) => Promise<CommandResult>;

const defaultSeconds = 120;
const maxOutput = 8 << 20;
/** Enough of a failing command's words to act on, few enough for a console. */
const quotedLines = 4;

/**
 * Runs a program without a shell, in a plain environment, so that its answers can be compared.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED with the last lines that it wrote
 */
export const runCommand: RunCommand = async (file, args, options = {}) => {
  const { input, env, seconds = defaultSeconds, accept = [], onLine } = options;
  const child = execa(file, args, {
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    env: { ...plainEnvironment, ...env },
    extendEnv: false,
    timeout: seconds * 1000,
    forceKillAfterDelay: 5000,
    maxBuffer: maxOutput,
    reject: false,
    all: onLine !== undefined,
    cwd: '/',
  });
  if (onLine) for await (const line of child.iterable({ from: 'all' })) onLine(String(line));
  const result = await child;
  if (result.code === 'ENOENT') {
    throw new LandfallError('TOOL_MISSING', `the program ${file} is not on this server`);
  }
  const code = result.exitCode ?? -1;
  if (!result.failed || (result.exitCode !== undefined && accept.includes(code))) {
    return { code, stdout: text(result.stdout), stderr: text(result.stderr) };
  }
  throw failure([file, ...args].join(' '), {
    ending: result.timedOut
      ? `took longer than ${seconds} seconds`
      : `ended with ${ending(result)}`,
    output: `${text(result.stdout)}\n${text(result.stderr)}`,
  });
};

const plainEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
};

function text(output: unknown): string {
  return typeof output === 'string' ? output : '';
}

function ending({ exitCode, signal }: { exitCode?: number; signal?: string }): string {
  return exitCode === undefined ? `signal ${signal ?? 'unknown'}` : `code ${exitCode}`;
}

function failure(command: string, { ending, output }: { ending: string; output: string }) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return new LandfallError('COMMAND_FAILED', `${command} ${ending}`, {
    problems: lines.slice(-quotedLines).map((message) => ({ message })),
  });
}
