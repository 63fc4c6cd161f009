import { LandfallError, type Problem } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Position } from './source.ts';

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
  problem(position: Position, message: string, hint?: string): void {
    this.problems.push({ file: this.#file, ...position, message: plainLine(message, 400), hint });
  }

  note(position: Position, message: string): void {
    this.notes.push({ file: this.#file, ...position, message: plainLine(message, 400) });
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
    const rest = count > shown ? ` ${count - shown} more are not shown.` : '';
    return new LandfallError('CONFIG_INVALID', `${this.#file}: ${what}`, {
      hint: `${hint}${rest}`,
      problems: byPosition(this.problems).slice(0, shown),
    });
  }
}

/** Returns problems in the order of their positions. */
export function byPosition(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Returns a word for messages. Texts that do not look like a keyword are not repeated. */
export function quoted(word: string): string {
  return /^[A-Za-z][A-Za-z0-9_.+-]{0,31}$/.test(word) ? ` "${word}"` : '';
}
