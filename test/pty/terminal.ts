import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, vi } from 'vitest';
import { processesWith } from './processes.ts';

/*
 * Command lines on a pseudo-terminal of script(1), from util-linux, which every Debian has.
 *
 *   const run = inTerminal([...landfall, 'init'], { cwd: folder });
 *   await run.shows('Where will the release be?');
 *   run.type(keys.interrupt);
 *   const { status, output, seconds } = await run.end();
 */

export interface TerminalOptions {
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Variables in addition to PATH, TERM, SHELL and HOME. */
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the command counts as hanging; default one minute. */
  readonly limit?: number;
  /** Milliseconds for its processes to end after it; default ten seconds. */
  readonly grace?: number;
}

export interface TerminalEnd {
  /** Exit status; 128 plus the signal number for a command that was ended by a signal. */
  readonly status: number;
  /** Raw output to the terminal, control characters included. */
  readonly output: string;
  /** The output as plain text. */
  readonly text: string;
  readonly seconds: number;
}

export const keys = {
  ...{ interrupt: '\x03', enter: '\r', down: '\x1b[B', tab: '\t' },
  escape: '\x1b',
  /** Ctrl-U, which deletes the line. */
  clear: '\x15',
};

/** First words of a command line of the builder. */
export const landfall: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../../builder/bin/landfall.mjs', import.meta.url)),
];

/** Delimiter around the output of stty(1). */
const separator = '\x1e';

/** Starts a command line on a new pseudo-terminal. */
export function inTerminal(words: readonly string[], options: TerminalOptions): TerminalRun {
  return new TerminalRun(words, options);
}

/** Runs a command line to its end, and verifies that it restores the terminal. */
export async function runInTerminal(
  words: readonly string[],
  options: TerminalOptions,
): Promise<TerminalEnd> {
  return inTerminal(words, options).end();
}

export class TerminalRun {
  /** Every process of the command line inherits it, including those in another session. */
  readonly #mark = `LANDFALL_TEST_MARK=${randomUUID()}`;
  readonly #options: TerminalOptions;
  readonly #script: ChildProcess;
  readonly #words: string;
  readonly #started = performance.now();
  readonly #ended: Promise<number>;
  readonly #watchers = new Set<() => void>();
  #output = '';
  /** How much of the plain text `shows` has consumed. */
  #seen = 0;

  constructor(words: readonly string[], options: TerminalOptions) {
    const { cwd, columns = 100, rows = 40, env = {} } = options;
    this.#options = options;
    this.#words = words.map(quoted).join(' ');
    const [name = '', value = ''] = this.#mark.split('=');
    // Wait until all output has arrived: script(1) may lose the end of it.
    const ending = `status=$?; printf '\\036'; stty -a; printf '\\036'; read -r _; exit $status`;
    const program = `stty rows ${rows} cols ${columns}; trap : INT; ${this.#words}; ${ending}`;
    this.#script = spawn(
      'script',
      ['--quiet', '--flush', '--return', '--command', program, '/dev/null'],
      {
        cwd,
        env: {
          ...{ PATH: process.env.PATH, TERM: 'xterm-256color', SHELL: '/bin/sh', HOME: cwd },
          ...env,
          [name]: value,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.#script.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      if (text.includes(separator) && this.#output.split(separator).length === 3) this.type('\n');
      for (const watcher of this.#watchers) watcher();
    });
    this.#ended = this.#end();
    this.#ended.catch(() => {});
  }

  /** Waits until the terminal shows a text, after the text of the previous call. */
  async shows(text: string): Promise<void> {
    const shown = Promise.withResolvers<void>();
    const look = () => {
      const at = plain(this.#output).indexOf(text, this.#seen);
      if (at === -1) return;
      this.#seen = at + text.length;
      shown.resolve();
    };
    this.#watchers.add(look);
    look();
    const missing = this.#ended.then(() => {
      throw new Error(`${this.#words} ended without showing ${text}:\n${plain(this.#output)}`);
    });
    try {
      await Promise.race([shown.promise, missing]);
    } finally {
      this.#watchers.delete(look);
    }
  }

  /** Sends key presses. */
  type(pressed: string): void {
    this.#script.stdin?.write(pressed);
  }

  /** Sends SIGINT to the programs on Node, as a terminal does for Ctrl-C in line mode. */
  interrupt(): void {
    const programs = processesWith(this.#mark).filter(({ command }) => /^\S*node /.test(command));
    for (const { pid } of programs) process.kill(pid, 'SIGINT');
  }

  /**
   * Waits for the end of the command line and verifies the final state: a visible cursor, a
   * terminal with echo and line mode, and no remaining processes.
   */
  async end(): Promise<TerminalEnd> {
    const status = await this.#ended;
    const seconds = (performance.now() - this.#started) / 1000;
    const [output = '', settings = ''] = this.#output.split(separator);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches an escape sequence
    expect(output.match(/\x1b\[\?25[hl]/g)?.at(-1), 'the cursor').not.toBe('\x1b[?25l');
    expect(settings, `${status} after ${JSON.stringify(this.#output)}`).toMatch(
      / icanon .* echo /s,
    );
    await this.#expectNoProcess();
    return { status, output, text: plain(output), seconds };
  }

  /** The last processes may still be ending. */
  async #expectNoProcess(): Promise<void> {
    const { grace = 10_000 } = this.#options;
    const commands = () => processesWith(this.#mark).map(({ command }) => command);
    try {
      await vi.waitFor(() => expect(commands().join('\n'), 'processes left').toBe(''), grace);
    } finally {
      this.#kill();
    }
  }

  async #end(): Promise<number> {
    const closed = Promise.withResolvers<number>();
    this.#script.on('error', closed.reject);
    this.#script.on('close', (status) => closed.resolve(status ?? -1));
    const timer = setTimeout(() => {
      closed.reject(
        new Error(`${this.#words} hangs and shows:\n${plain(this.#output).slice(-2000)}`),
      );
      this.#kill();
    }, this.#options.limit ?? 60_000);
    try {
      return await closed.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #kill(): void {
    for (const { pid } of processesWith(this.#mark)) process.kill(pid, 'SIGKILL');
  }
}

function plain(output: string): string {
  return stripVTControlCharacters(output).replaceAll('\r', '');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
