/**
 * A minimal terminal: text, line breaks, cursor up, carriage return, and clearing to the end of the
 * screen. The cursor cannot reach lines that have scrolled out. Other sequences are ignored.
 */
export class Terminal {
  readonly isTTY = true;
  readonly columns: number;
  readonly rows: number;
  #screen: string[] = [''];
  #row = 0;
  #column = 0;
  /** Index of the first visible row. */
  #top = 0;

  constructor(columns = 80, rows = 50) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches escape sequences
    for (const [token] of text.matchAll(/\x1b\[(\d+)A|\x1b\[0J|\r|\n|[^\x1b]/gu)) this.#obey(token);
  }

  /** Returns the rows on the screen without trailing empty rows. */
  lines(): string[] {
    return this.#screen.join('\n').trimEnd().split('\n');
  }

  /** Number of lines that have scrolled out at the top. */
  scrolled(): number {
    return this.#top;
  }

  #obey(token: string): void {
    if (token === '\n') {
      this.#row += 1;
      this.#column = 0;
      this.#screen[this.#row] ??= '';
      this.#top = Math.max(this.#top, this.#row - this.rows + 1);
    } else if (token === '\r') {
      this.#column = 0;
    } else if (token === '\x1b[0J') {
      this.#screen.length = this.#row + 1;
      this.#screen[this.#row] = this.#line().slice(0, this.#column);
    } else if (token.startsWith('\x1b[')) {
      this.#row = Math.max(this.#top, this.#row - Number.parseInt(token.slice(2), 10));
    } else {
      this.#put(token);
    }
  }

  /** Wraps at the last column, like real terminals. */
  #put(letter: string): void {
    if (this.#column === this.columns) this.#obey('\n');
    const line = this.#line().padEnd(this.#column);
    this.#screen[this.#row] = line.slice(0, this.#column) + letter + line.slice(this.#column + 1);
    this.#column += 1;
  }

  #line(): string {
    return this.#screen[this.#row] ?? '';
  }
}
