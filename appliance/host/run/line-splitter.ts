import { StringDecoder } from 'node:string_decoder';

/** Longer lines are split. Characters. */
const longest = 8192;

/**
 * Splits the output of a program into lines. A carriage return ends a line too, because programs use
 * it to redraw progress bars. Empty lines are skipped.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  write(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split(/[\r\n]+/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#emit(line);
    while (this.#rest.length > longest) {
      this.#emit(this.#rest.slice(0, longest));
      this.#rest = this.#rest.slice(longest);
    }
  }

  /** Emits the text after the last line break. */
  end(): void {
    this.#emit(this.#rest + this.#decoder.end());
    this.#rest = '';
  }

  #emit(line: string): void {
    for (let at = 0; at < line.length; at += longest) this.#onLine(line.slice(at, at + longest));
  }
}
