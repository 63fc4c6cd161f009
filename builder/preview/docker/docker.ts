import { type ProgramEnd, programFailed, runProgram } from './run-program.ts';

/**
 * Variables that Docker and Compose read. Others of the user could replace values in Compose's files,
 * because the environment has precedence over `--env-file`.
 */
const passed =
  /^(?:PATH|HOME|DOCKER_\w+|SSH_AUTH_SOCK|XDG_\w+|TMPDIR|TEMP|TMP|LANG|LC_ALL|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAM\w+|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT)$/i;

interface DockerOptions {
  readonly input?: AsyncIterable<Uint8Array>;
  readonly onLine?: (line: string) => void;
  /** Whether any exit code is accepted. */
  readonly anyCode?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

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
    const { anyCode = false, env = {}, ...others } = options;
    const end = await runProgram('docker', args, {
      env: { ...this.#env, ...env },
      signal: this.signal,
      ...others,
    });
    if (end.code !== 0 && !anyCode) throw programFailed(['docker', ...args], end);
    return end;
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
