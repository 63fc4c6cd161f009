import type { NetworkOptions } from '#http/options.ts';

/** What the actions need from a program, so that the builder and the server share them. */
export interface ProxiesContext {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream;
  readonly cwd: string;
  /** Absolute path of the file with the imported proxies. */
  readonly file: string;
  /** The active route. */
  readonly network: NetworkOptions;
  /** Asks for a secret without echo; undefined if the user cannot be prompted. */
  readonly askSecret: ((message: string) => Promise<string>) | undefined;
  /** The command that uses the imported proxies, if there is one. */
  readonly next: string | undefined;
  /** The command for hints: `sudo landfall route`. */
  readonly command: string;
}
