import { spawn } from 'node:child_process';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/duration.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { capture } from './capture.ts';
import type { Ending } from './ending.ts';

export interface CommandOptions {
  /** Written to standard input. Pass secrets here, never in arguments. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Timeout in seconds, after which the command is killed and fails. */
  readonly seconds?: number;
  /** Exit codes other than 0 that are not a failure. */
  readonly accept?: readonly number[];
  /** Called for each line of output as it arrives. */
  readonly onLine?: (line: string) => void;
}

export interface CommandResult {
  readonly code: number;
  /** The first 8 MiB, without the final line break. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the system. Tests use another implementation. */
export type RunCommand = (
  file: string,
  args: readonly string[],
  options?: CommandOptions,
) => Promise<CommandResult>;

const defaultSeconds = 120;
/** Number of output lines that the error of a failed command quotes. */
const quotedLines = 4;

/**
 * Runs a program without a shell, in a fixed environment, so that its output is predictable. Does not
 * wait for background processes of the program.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED with the last lines of the output
 */
export const runCommand: RunCommand = async (file, args, options = {}) => {
  const { input, env, seconds = defaultSeconds, accept = [], onLine } = options;
  const child = spawn(file, args, {
    env: { ...plainEnvironment, ...env },
    cwd: '/',
    // A separate process group, so that a timeout also ends child processes.
    detached: true,
  });
  // A program may exit without reading its input (EPIPE).
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
    ? new LandfallError('TOOL_MISSING', `${file}: command not found on this server`, {
        hint: 'Install the package that contains it (openssh-server for sshd) and try again.',
      })
    : new LandfallError('COMMAND_FAILED', `${file} cannot be started: ${reason}`);
}

function describe(ending: Exclude<Ending, { kind: 'unstarted' }>, seconds: number): string {
  if (ending.kind === 'timeout') return `timed out after ${formatDuration(seconds * 1000)}`;
  if (ending.kind === 'signal') return `was terminated by ${ending.signal}`;
  return `exited with code ${ending.code}`;
}
