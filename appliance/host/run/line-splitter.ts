import { StringDecoder } from 'node:string_decoder';

/** A line that is longer comes in pieces. Characters. */
const longest = 8192;

/**
 * Makes lines of what a program writes, piece by piece. A carriage return ends a line too: that is
 * how programs redraw a bar. Empty lines are passed over.
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
    for (const line of lines) this.#give(line);
    while (this.#rest.length > longest) {
      this.#give(this.#rest.slice(0, longest));
      this.#rest = this.#rest.slice(longest);
    }
  }

  /** Gives what came after the last line break. */
  end(): void {
    this.#give(this.#rest + this.#decoder.end());
    this.#rest = '';
  }

  #give(line: string): void {
    for (let at = 0; at < line.length; at += longest) this.#onLine(line.slice(at, at + longest));
  }
}
