/**
 * As much of a terminal as is needed to see what a person would: text, line breaks, the way up, the
 * return to the left, and clearing from there to the end. What has scrolled out stays above, and no
 * cursor gets there any more. Anything else is a mistake.
 */
export class Terminal {
  readonly isTTY = true;
  readonly columns: number;
  readonly rows: number;
  #screen: string[] = [''];
  #row = 0;
  #column = 0;
  /** The first row that is on the screen. */
  #top = 0;

  constructor(columns = 80, rows = 50) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
    for (const [token] of text.matchAll(/\x1b\[(\d+)A|\x1b\[0J|\r|\n|[^\x1b]/gu)) this.#obey(token);
  }

  /** What is on the screen, without the empty rest. */
  lines(): string[] {
    return this.#screen.join('\n').trimEnd().split('\n');
  }

  /** How many lines have left the screen at its top. */
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

  /** A line that is full goes on in the next one, as on real terminals. */
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
