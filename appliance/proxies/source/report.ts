import { LandfallError, type Problem } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';

/** Maximum number of problems in an error. */
const shown = 100;

/** Collects what an import cannot use, with the line of each. */
export class Report {
  /** Entries that cannot be imported. */
  readonly problems: Problem[] = [];
  /** Settings that are not imported, because they concern only the program that wrote them. */
  readonly notes: Problem[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Adds a problem. Neither text may contain a value that could be a secret. */
  problem(line: number, message: string, hint?: string): void {
    this.problems.push({ file: this.#file, line, message: plainLine(message, 400), hint });
  }

  note(line: number, message: string): void {
    this.notes.push({ file: this.#file, line, message: plainLine(message, 400) });
  }

  /** Returns the result of a function, or undefined if it added problems. */
  attempt<Value>(read: () => Value): Value | undefined {
    const before = this.problems.length;
    const value = read();
    return this.problems.length === before ? value : undefined;
  }

  /** Returns the error of all problems. */
  error(what: string, hint: string): LandfallError {
    const count = this.problems.length;
    const problems = this.problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    const rest = count > shown ? ` ${count - shown} more are not shown.` : '';
    return new LandfallError('CONFIG_INVALID', `${this.#file}: ${what}`, {
      hint: `${hint}${rest}`,
      problems: problems.slice(0, shown),
    });
  }
}

/** Returns a word for messages. Texts that do not look like a keyword are not repeated. */
export function quoted(word: string): string {
  return /^[A-Za-z][A-Za-z0-9_.+-]{0,31}$/.test(word) ? ` "${word}"` : '';
}
