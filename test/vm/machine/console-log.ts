import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Output of a machine's serial console, in a file that continues over all its boots. */
export class ConsoleLog {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the text as a screen shows it, without colours and cursor movements. */
  async text(): Promise<string> {
    const raw = await readFile(this.path, 'utf8').catch(() => '');
    return raw.replace(terminalControl, '').replaceAll('\r', '');
  }

  /** Returns the current end of the text, as a start for `waitFor`. */
  async end(): Promise<number> {
    return (await this.text()).length;
  }

  /**
   * Waits for a text. Returns the match.
   * @param from start of the search
   * @param limit seconds
   * @throws Error with the last lines on a timeout
   */
  async waitFor(
    pattern: RegExp,
    { from = 0, limit = 900 }: { from?: number | undefined; limit?: number | undefined } = {},
  ): Promise<RegExpExecArray> {
    const end = performance.now() + limit * 1000;
    for (;;) {
      const text = (await this.text()).slice(from);
      const match = pattern.exec(text);
      if (match) return match;
      if (performance.now() > end) {
        const last = text.split('\n').slice(-40).join('\n');
        throw new Error(`the console did not show ${pattern} in ${limit} s:\n${last}`);
      }
      await sleep(pollInterval);
    }
  }
}

/** Milliseconds. */
const pollInterval = 100;

/** CSI and similar sequences (ECMA-48, section 5.4). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches escape sequences
const terminalControl = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78c]/g;
