/** The world as a command sees it, so that a test can give it another one. */
export interface CommandContext {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** A person sits at a terminal and can be asked. */
  readonly interactive: boolean;
}
