import { execa } from 'execa';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';

/**
 * Variables that Docker and Compose read. Others of the user could replace values in Compose's files,
 * because the environment has precedence over `--env-file`.
 */
const passed =
  /^(?:PATH|HOME|DOCKER_\w+|SSH_AUTH_SOCK|XDG_\w+|TMPDIR|TEMP|TMP|LANG|LC_ALL|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAM\w+|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT)$/i;

type DockerOptions = Omit<ProgramOptions, 'env' | 'signal'> & {
  readonly env?: Readonly<Record<string, string>>;
};

/** The `docker` command of this computer: it knows contexts, Docker Desktop and its plugins. */
export class Docker {
  readonly #env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;

  /** @param signal ends running commands; later ones fail at once */
  constructor(env: NodeJS.ProcessEnv, signal?: AbortSignal) {
    this.#env = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)));
    this.signal = signal;
  }

  /** @throws LandfallError TOOL_MISSING, COMMAND_FAILED; the reason of the signal */
  async run(args: readonly string[], options: DockerOptions = {}): Promise<ProgramEnd> {
    const env = { ...this.#env, ...options.env };
    return await runProgram('docker', args, { ...options, env, signal: this.signal });
  }

  /** Returns the lines of a command's output. @throws LandfallError TOOL_MISSING, COMMAND_FAILED */
  async list(...args: string[]): Promise<string[]> {
    return linesOf((await this.run(args)).stdout);
  }

  /** Returns the lines of a command's output; empty if it fails. @throws LandfallError TOOL_MISSING */
  async lines(...args: string[]): Promise<string[]> {
    const { code, stdout } = await this.run(args, { anyCode: true });
    return code === 0 ? linesOf(stdout) : [];
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

interface ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Streamed to standard input. */
  readonly input?: AsyncIterable<Uint8Array>;
  /** Ends the program and its children. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each line of stderr. */
  readonly onLine?: (line: string) => void;
  /** Whether any exit code is accepted. */
  readonly anyCode?: boolean;
}

/** Lines of output that the error of a failed program quotes. */
const quotedLines = 6;

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
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED with the last lines of the output; the error of
 * the input; the reason of the signal
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { env, input, signal, onLine = () => {}, anyCode = false }: ProgramOptions,
): Promise<ProgramEnd> {
  signal?.throwIfAborted();
  const failure = new AbortController();
  const stop = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])]);
  const child = execa(file, args, {
    ...{ env, extendEnv: false, detached, reject: false },
    stdin: input ? abortingOnError(input, failure) : 'ignore',
    stderr: function* (line: unknown) {
      onLine(String(line));
      yield line;
    },
  });
  const end = () => endGroup(child.pid);
  stop.addEventListener('abort', end, { once: true });
  const result = await child.finally(() => stop.removeEventListener('abort', end));
  stop.throwIfAborted();
  if (result.code === 'ENOENT') throw toolMissing(file, result);
  const { exitCode = 128 } = result;
  const [stdout, stderr] = [result.stdout.trimEnd(), result.stderr.trimEnd()];
  if (exitCode === 0 || anyCode) return { code: exitCode, stdout, stderr };
  const lines = (stderr || stdout || (result.originalMessage ?? '')).split('\n');
  const command = plainLine([file, ...args].join(' '), 300);
  throw new LandfallError('COMMAND_FAILED', `${command} exited with code ${exitCode}`, {
    problems: lines.slice(-quotedLines).map((line) => ({ message: plainLine(line) })),
  });
}

/** Passes an input on. If it fails, the program is ended, so that it does not see the end of the input. */
async function* abortingOnError(
  input: AsyncIterable<Uint8Array>,
  failure: AbortController,
): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    failure.abort(error);
    throw error;
  }
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

function toolMissing(file: string, cause: unknown): LandfallError {
  return new LandfallError('TOOL_MISSING', `${file}: command not found`, {
    hint: `Install ${packages[file] ?? file}, and try again.`,
    cause,
  });
}
