/** The environment of a command, so that tests can replace it. */
export interface CommandContext {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Whether the user can be prompted on a terminal. */
  readonly interactive: boolean;
  /** File of the release that the package offers; default: that of the package. */
  readonly packagedRelease?: string;
  /** Sets the exit code of a command that succeeds; without a call it is 0. */
  setExitCode(code: number): void;
}
