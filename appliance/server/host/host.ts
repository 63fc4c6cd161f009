import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { isMissing } from '#files/open-regular.ts';
import type { CommandOptions, CommandResult, RunCommand } from './run/command.ts';

/** Sums up durations. Overlapping ones count once. */
export class Stopwatch {
  #running = 0;
  #started = 0;
  #total = 0;

  /** Milliseconds so far. */
  get total(): number {
    return this.#total + (this.#running > 0 ? performance.now() - this.#started : 0);
  }

  /** Measures the duration of the work, whether it succeeds or fails. */
  async measure<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running === 0) this.#started = performance.now();
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#total += performance.now() - this.#started;
    }
  }
}

/** A file that differs from what a stage would write. */
export interface FileDifference {
  readonly path: string;
  /** The content that the stage would write. */
  readonly content: string;
  readonly mode: number;
}

/**
 * The server that is being set up: its file system and its programs. Stages access the server only
 * through this class, so tests can use another root folder.
 */
export class Host {
  /** `/` except in tests. */
  readonly root: string;
  /** Time spent waiting for programs and the network. */
  readonly outside = new Stopwatch();
  readonly #run: RunCommand;

  /** Called by `isFile` for each file that differs. */
  readonly onDifference: ((found: FileDifference) => void) | undefined;

  constructor(root: string, run: RunCommand, onDifference?: (found: FileDifference) => void) {
    this.root = root;
    this.#run = run;
    this.onDifference = onDifference;
  }

  /** Returns this server with an observer of differing files. */
  observed(onDifference: (found: FileDifference) => void): Host {
    return new Host(this.root, this.#run, onDifference);
  }

  /** Returns an absolute path from parts relative to the root folder. */
  path(...parts: readonly string[]): string {
    return join(this.root, ...parts);
  }

  /** Returns the names in a folder, sorted; empty if it is missing. */
  async namesIn(folder: string): Promise<string[]> {
    try {
      return (await readdir(this.path(folder))).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /**
   * Runs a program and returns its exit code and output.
   * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
   */
  async run(
    file: string,
    args: readonly string[],
    options?: CommandOptions,
  ): Promise<CommandResult> {
    return await this.outside.measure(() => this.#run(file, args, options));
  }

  /** Runs a program as {@link run}; returns undefined if it is not installed. */
  async runIfInstalled(...command: Parameters<Host['run']>): Promise<CommandResult | undefined> {
    return await this.run(...command).catch((error: unknown) => {
      if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return undefined;
      throw error;
    });
  }

  /** Reports whether a program exits with code 0. @throws LandfallError TOOL_MISSING */
  async succeeds(
    file: string,
    args: readonly string[],
    options: CommandOptions = {},
  ): Promise<boolean> {
    return (await this.run(file, args, { ...options, accept: anyCode })).code === 0;
  }
}

/** All possible exit codes. */
export const anyCode = Array.from({ length: 256 }, (_, code) => code);
