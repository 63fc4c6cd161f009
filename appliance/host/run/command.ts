import { spawn } from 'node:child_process';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { capture } from './capture.ts';
import type { Ending } from './ending.ts';

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
  /** Without the line break at the end; the first 8 MiB. */
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
/** Enough of a failing command's words to act on, few enough for a console. */
const quotedLines = 4;

/**
 * Runs a program without a shell, in a plain environment, so that its answers can be compared.
 * It is over when the program is: what it leaves running in the background is not waited for.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED with the last lines that it wrote
 */
export const runCommand: RunCommand = async (file, args, options = {}) => {
  const { input, env, seconds = defaultSeconds, accept = [], onLine } = options;
  const child = spawn(file, args, {
    env: { ...plainEnvironment, ...env },
    cwd: '/',
    // A group of its own, so that a time limit ends what it started as well.
    detached: true,
  });
  // A program that does not read to the end is its own affair.
  child.stdin.on('error', () => {}).end(input);
  const { ending, stdout, stderr, lastLines } = await capture(child, { seconds, onLine });
  if (ending.kind === 'unstarted') throw unstarted(file, ending.reason);
  if (ending.kind === 'exit' && (ending.code === 0 || accept.includes(ending.code))) {
    return { code: ending.code, stdout, stderr };
  }
  const command = plainLine([file, ...args].join(' '), 500);
  throw new LandfallError('COMMAND_FAILED', `${command} ${describe(ending, seconds)}`, {
    problems: lastLines.slice(-quotedLines).map((message) => ({ message })),
  });
};

const plainEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
  DEBIAN_FRONTEND: 'noninteractive',
};

function unstarted(file: string, reason: string): LandfallError {
  return reason === 'ENOENT'
    ? new LandfallError('TOOL_MISSING', `the program ${file} is not on this server`, {
        hint: 'Install the package that has it (openssh-server for sshd) and run the same again.',
      })
    : new LandfallError('COMMAND_FAILED', `the program ${file} cannot be started (${reason})`);
}

function describe(ending: Exclude<Ending, { kind: 'unstarted' }>, seconds: number): string {
  if (ending.kind === 'timeout') return `took longer than ${formatDuration(seconds * 1000)}`;
  if (ending.kind === 'signal') return `ended with signal ${ending.signal}`;
  return `ended with code ${ending.code}`;
}
