import { execFileSync } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  inTerminal,
  keys,
  landfall,
  type TerminalEnd,
  type TerminalRun,
} from '../../pty/terminal.ts';

/** A folder of a user, and a terminal that runs `landfall` in it. */
export class TerminalRig {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<TerminalRig> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-pty-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    return new TerminalRig(folder);
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  write(name: string, content: string | Buffer): Promise<void> {
    return writeFile(join(this.folder, name), content);
  }

  read(name: string): Promise<Buffer> {
    return readFile(join(this.folder, name));
  }

  /** Writes a file that only the user can read. */
  writeSecret(name: string, content: string): Promise<void> {
    return writeFile(join(this.folder, name), content, { mode: 0o600 });
  }

  start(...args: readonly string[]): TerminalRun {
    return inTerminal([...landfall, ...args], { cwd: this.folder });
  }

  run(...args: readonly string[]): Promise<TerminalEnd> {
    return this.start(...args).end();
  }

  /** Sends Ctrl-C once the command reads the empty file `pipe`. */
  async interrupt(...args: readonly string[]): Promise<TerminalEnd> {
    const run = this.start(...args);
    await using _writer = await open(join(this.folder, 'pipe'), 'w');
    run.type(keys.interrupt);
    // The writer stays open until then, because the command would end with it.
    return await run.end();
  }
}
