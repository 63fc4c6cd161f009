import type { UserFolders } from './settings-path.ts';

/** What the actions need from a program, so that the builder and the server share them. */
export interface EditorContext extends UserFolders {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly cwd: string;
  /** Asks for one of several values; undefined if the user cannot be prompted. */
  readonly choose: ((message: string, options: readonly Choice[]) => Promise<string>) | undefined;
  /** Asks for a secret without echo; undefined if the user cannot be prompted. */
  readonly askSecret: ((message: string) => Promise<string>) | undefined;
  /** Sets the exit code of a command that prints its result and does not throw. */
  setExitCode(code: number): void;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}
