import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { type Ending, endingOf, signalGroup } from './process-group.ts';

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
  throw new LandfallError('COMMAND_FAILED', describe(command, ending, seconds), {
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
        hint: {
          en: 'Install the package that contains it (openssh-server for sshd) and try again.',
          zh: '安装包含它的软件包（sshd 是 openssh-server），再试一次。',
        },
      })
    : new LandfallError('COMMAND_FAILED', `${file} cannot be started: ${reason}`);
}

function describe(
  command: string,
  ending: Exclude<Ending, { kind: 'unstarted' }>,
  seconds: number,
): string {
  if (ending.kind === 'timeout')
    return `${command} timed out after ${formatDuration(seconds * 1000)}`;
  if (ending.kind === 'signal') return `${command} was terminated by ${ending.signal}`;
  return `${command} exited with code ${ending.code}`;
}

interface Output {
  readonly ending: Ending;
  readonly stdout: string;
  readonly stderr: string;
  /** The last lines of stdout and stderr, newest last, as plain text. */
  readonly lastLines: readonly string[];
}

interface CaptureOptions {
  readonly seconds: number;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Bytes that are kept of each stream. */
const maxKept = 8 << 20;
const linesKept = 8;
/** Remaining output is read after the exit until a pause of this length has no output. Milliseconds. */
const pauseMs = 200;
const maxPauses = 20;

/**
 * Collects the output of a program until it exits or times out. Does not wait for background
 * processes that keep the pipes open.
 * @throws what `onLine` throws; the program is terminated first
 */
async function capture(
  child: ChildProcessWithoutNullStreams,
  { seconds, onLine }: CaptureOptions,
): Promise<Output> {
  const lastLines: string[] = [];
  const thrown: unknown[] = [];
  const hear = (line: string) => {
    const plain = plainLine(line);
    if (plain === '') return;
    lastLines.push(plain);
    if (lastLines.length > linesKept) lastLines.shift();
    try {
      onLine?.(line);
    } catch (error) {
      thrown.push(error);
      signalGroup(child, 'SIGTERM');
    }
  };
  const outputs = [collect(child.stdout, hear), collect(child.stderr, hear)];
  const ending = await endingOf(child, seconds);
  await closeOutputs(outputs);
  const [stdout = '', stderr = ''] = outputs.map((output) => output.finish());
  if (thrown.length > 0) throw thrown[0];
  return { ending, stdout, stderr, lastLines };
}

/** Collects the beginning of a stream and emits its lines. */
function collect(stream: Readable, onLine: (line: string) => void) {
  const chunks: Buffer[] = [];
  const lines = new LineSplitter(onLine);
  let [seen, closed] = [0, false];
  stream.on('data', (chunk: Buffer) => {
    if (seen < maxKept) chunks.push(chunk.subarray(0, maxKept - seen));
    seen += chunk.length;
    lines.write(chunk);
  });
  stream.once('close', () => {
    closed = true;
  });
  return {
    isClosed: () => closed,
    seen: () => seen,
    finish: () => {
      stream.removeAllListeners('data').destroy();
      lines.end();
      return Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
    },
  };
}

/** Waits until all streams are closed or have no more output. */
async function closeOutputs(outputs: readonly ReturnType<typeof collect>[]): Promise<void> {
  const seen = () => outputs.reduce((sum, output) => sum + output.seen(), 0);
  for (let pause = 0; pause < maxPauses; pause += 1) {
    // One iteration of the event loop reads the available data.
    await setImmediate();
    if (outputs.every((output) => output.isClosed())) return;
    const before = seen();
    await sleep(pause === 0 ? 5 : pauseMs);
    await setImmediate();
    if (pause > 0 && seen() === before) return;
  }
}

/** Longer lines are split. Characters. */
const max = 8192;

/**
 * Splits the output of a program into lines. A carriage return ends a line too, because programs use
 * it to redraw progress bars. Empty lines are skipped.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split(/[\r\n]+/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#emit(line);
    while (this.#rest.length > max) {
      this.#emit(this.#rest.slice(0, max));
      this.#rest = this.#rest.slice(max);
    }
  }

  /** Emits the text after the last line break. */
  end(): void {
    this.#emit(this.#rest + this.#decoder.end());
    this.#rest = '';
  }

  #emit(line: string): void {
    for (let at = 0; at < line.length; at += max) this.#onLine(line.slice(at, at + max));
  }
}
