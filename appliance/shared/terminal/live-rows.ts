import type { Screen } from './screen.ts';

/** Shows the cursor that a prompt has hidden (DECTCEM of the VT220). */
export const showCursor = '\x1b[?25h';

/**
 * Rows at the end of a terminal's output that are redrawn in place, with lines that scroll above.
 * The cursor stays visible below the rows, so a killed program leaves the terminal usable. Rows
 * must fit `roomOn` the screen.
 */
export class LiveRows {
  readonly #screen: Screen;
  #rows: readonly string[] = [];

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Replaces the rows. */
  draw(rows: readonly string[]): void {
    const before = this.#erasing();
    this.#rows = rows;
    this.#write(before + this.#drawing());
  }

  /** Prints a line above the rows. */
  print(line: string): void {
    this.#write(`${this.#erasing()}${line}\n${this.#drawing()}`);
  }

  #write(text: string): void {
    if (text !== '') this.#screen.write(text);
  }

  #erasing(): string {
    return this.#rows.length > 0 ? `\x1b[${this.#rows.length}A\r\x1b[0J` : '';
  }

  #drawing(): string {
    return this.#rows.map((row) => `${row}\n`).join('');
  }
}
