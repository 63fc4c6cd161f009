import { join } from 'node:path';
import type { CommandOptions, CommandResult, RunCommand } from './run/command.ts';
import { Stopwatch } from './run/stopwatch.ts';

/**
 * The machine that is being set up: where its files are and how its programs are run. Everything
 * that a stage does to a machine goes through here, so tests can give it another root folder.
 */
export class Host {
  /** `/`, but in tests. */
  readonly root: string;
  /** Time spent waiting for what is not our own code. */
  readonly outside = new Stopwatch();
  readonly #run: RunCommand;

  constructor(root: string, run: RunCommand) {
    this.root = root;
    this.#run = run;
  }

  /** The place of a file, given from the root folder without a leading slash. */
  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  /**
   * Runs a program and gives what it wrote.
   * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
   */
  async run(
    file: string,
    args: readonly string[],
    options?: CommandOptions,
  ): Promise<CommandResult> {
    return await this.outside.measure(() => this.#run(file, args, options));
  }

  /** Whether a program ended with code 0. @throws LandfallError TOOL_MISSING */
  async succeeds(file: string, args: readonly string[]): Promise<boolean> {
    return (await this.run(file, args, { accept: anyCode })).code === 0;
  }
}

/** Every code that a program can end with. */
const anyCode = Array.from({ length: 256 }, (_, code) => code);
