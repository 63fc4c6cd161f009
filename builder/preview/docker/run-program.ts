import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable, type Writable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';

interface ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Streamed to standard input. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Ends the program and its children. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each line of stderr. */
  readonly onLine?: (line: string) => void;
}

/** How a program ended. */
export interface ProgramEnd {
  /** 128 for a program that was ended by a signal. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** On Windows, a detached program has a console window of its own. */
const detached = process.platform !== 'win32';

/**
 * Runs a program in its own process group: Ctrl-C reaches only this process, which then decides what
 * to end and what to remove.
 * @throws LandfallError TOOL_MISSING; the error of the input; the reason of the signal
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { env, input, signal, onLine }: ProgramOptions,
): Promise<ProgramEnd> {
  signal?.throwIfAborted();
  const child = spawn(file, args, { env, detached, stdio: ['pipe', 'pipe', 'pipe'] });
  const end = () => endGroup(child.pid);
  signal?.addEventListener('abort', end, { once: true });
  const lines = createInterface({ input: child.stderr });
  if (onLine) lines.on('line', onLine);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => reject(unstarted(file, cause)));
    child.once('close', (code) => resolve(code ?? 128));
  });
  const fed = feed(input ?? Readable.from([]), child.stdin, end);
  try {
    const [stdout, stderr, code] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      ended,
    ]);
    signal?.throwIfAborted();
    const broken = await fed;
    if (broken !== undefined) throw broken;
    return { code, stdout, stderr };
  } finally {
    signal?.removeEventListener('abort', end);
    lines.close();
  }
}

/** Returns the error of the input. The program may stop reading before its end. */
async function feed(
  input: AsyncIterable<Uint8Array>,
  stdin: Writable,
  end: () => void,
): Promise<unknown> {
  // EPIPE
  stdin.on('error', () => {});
  try {
    for await (const chunk of input) {
      if (stdin.destroyed) break;
      if (!stdin.write(chunk)) await isWritable(stdin);
    }
    stdin.end();
    return undefined;
  } catch (error) {
    end();
    return error;
  }
}

async function isWritable(stdin: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      stdin.off('drain', done).off('close', done);
      resolve();
    };
    stdin.once('drain', done).once('close', done);
  });
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text.trimEnd();
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(detached ? -pid : pid, 'SIGTERM');
  } catch {
    // ESRCH: the program has ended.
  }
}

/** What to install for a program. */
const packages: Readonly<Record<string, string>> = {
  docker: 'Docker Engine or Docker Desktop (https://docs.docker.com/get-started/get-docker/)',
  openssl: 'OpenSSL 3 or newer',
};

function unstarted(file: string, cause: NodeJS.ErrnoException): LandfallError {
  return cause.code === 'ENOENT'
    ? new LandfallError('TOOL_MISSING', `${file}: command not found`, {
        hint: `Install ${packages[file] ?? file}, and try again.`,
        cause,
      })
    : new LandfallError('COMMAND_FAILED', `${file} cannot be started: ${cause.message}`, { cause });
}

/** Lines of output that the error of a failed program quotes. */
const quotedLines = 6;

/** Returns the error for a program that failed, with the last lines of its output. */
export function programFailed(words: readonly string[], { code, stdout, stderr }: ProgramEnd) {
  const lines = (stderr || stdout).split('\n').slice(-quotedLines);
  const command = plainLine(words.join(' '), 300);
  return new LandfallError('COMMAND_FAILED', `${command} exited with code ${code}`, {
    problems: lines.map((line) => ({ message: plainLine(line) })),
  });
}
