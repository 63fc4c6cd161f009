import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What came out of a machine's serial console, in a file that goes on over all its boots. */
export class ConsoleLog {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The text, as a screen would show it but for colours and cursor movements. */
  async text(): Promise<string> {
    const raw = await readFile(this.path, 'utf8').catch(() => '');
    return raw.replace(terminalControl, '').replaceAll('\r', '');
  }

  /** Where the text ends now, for `waitFor` to look at what comes after. */
  async end(): Promise<number> {
    return (await this.text()).length;
  }

  /**
   * Waits for a text; gives the match.
   * @param from where to begin to look
   * @param limit seconds
   * @throws Error with the last lines when it does not come
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
      await sleep(lookEvery);
    }
  }
}

/** Milliseconds. */
const lookEvery = 100;

/** CSI sequences and the like (ECMA-48, section 5.4). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is to go
const terminalControl = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78c]/g;
