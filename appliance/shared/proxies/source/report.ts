import { LandfallError, type Problem } from '#contract/errors.ts';
import { inLanguage, type Language, type Text } from '#contract/text/language.ts';
import { type About, type Detail, inWords, type Reason, textOf } from './reasons.ts';

/** A path to a value: keys and positions. */
export type Path = readonly (string | number)[];

/** A position in a file, 1-based. Links have no column, because they are often in base64. */
export interface Position {
  readonly line: number;
  readonly column?: number | undefined;
}

/** A parsed file with the positions of its values. Scalars of YAML are texts. */
export interface Source {
  readonly value: unknown;
  /** Returns the position of a key or item; of its parent if it is missing. */
  positionOf(at: Path): Position;
}

/** An entry and its position in the source. */
export interface Located<Entry> {
  readonly entry: Entry;
  readonly position: Position;
}

/** Number of details to keep, and of different reasons to count. */
const maxDetails = 1000;

/** Counts by reason, with the details of the first ones. */
export class Tally {
  readonly details: Detail[] = [];
  /** By its text in English. */
  readonly #reasons = new Map<string, { readonly text: Text; count: number }>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a reason. @param detail called only if the detail is kept */
  add(reason: Text, detail: () => Detail, count = 1): void {
    this.#count += count;
    const isNew = !this.#reasons.has(reason.en);
    const text = isNew && this.#reasons.size >= maxDetails ? otherReasons : reason;
    const known = this.#reasons.get(text.en);
    if (known) known.count += count;
    else this.#reasons.set(text.en, { text, count });
    if (this.details.length < maxDetails) this.details.push(detail());
  }

  /** Returns the reasons with their counts, the most frequent first. Programs read them in English. */
  reasons(language: Language = 'en'): (readonly [reason: string, count: number])[] {
    return [...this.#reasons.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ text, count }) => [inLanguage(text, language), count]);
  }
}

const otherReasons = textOf('others');

/** Maximum number of problems in an error. */
const maxProblems = 100;

/** What a problem belongs to: an entry of a list, or another setting. */
export type EntryKind = 'proxy' | 'group' | 'rule' | 'setting';

interface ReportOptions {
  /** Whether every problem is an error; otherwise entries with problems are left out. */
  readonly strict?: boolean | undefined;
  /** Time at which the import stops, in milliseconds since 1970. */
  readonly deadline?: number | undefined;
}

/**
 * Collects what an import cannot use, with the line of each. Everything is counted, but only the
 * first problems are kept, so that a hostile source needs little memory.
 */
export class Report {
  readonly strict: boolean;
  /** Entries that are not imported, by the first problem of each. */
  readonly leftOut: Readonly<Record<EntryKind, Tally>> = {
    proxy: new Tally(),
    group: new Tally(),
    rule: new Tally(),
    setting: new Tally(),
  };
  /** Settings of entries and files that are not imported, or that are imported in another form. */
  readonly ignored = new Tally();
  /** Names of entries with problems. References to them are not reported again. */
  readonly failed = new Set<string>();
  /** Every problem, including several of one entry. */
  readonly #problems = new Tally();
  /** Those of proxies and settings. */
  readonly #essential = new Tally();
  readonly #file: string;
  readonly #deadline: number;
  /** The entry that is being read, and whether it has a problem. */
  #entry: { readonly kind: EntryKind; hasProblem: boolean } | undefined;

  constructor(file: string, { strict = false, deadline }: ReportOptions = {}) {
    this.#file = file;
    this.strict = strict;
    this.#deadline = deadline ?? Number.POSITIVE_INFINITY;
  }

  /** The number of all problems. */
  get count(): number {
    return this.#problems.count;
  }

  /** Adds a problem. Neither text may contain a value that could be a secret. */
  problem(position: Position, about: About, hint?: Reason): void {
    const text = textOf(about);
    const detail = () => this.#detail(position, text, hint);
    const kind = this.#entry?.kind ?? 'setting';
    this.#problems.add(text, detail);
    if (kind === 'proxy' || kind === 'setting') this.#essential.add(text, detail);
    if (this.#entry?.hasProblem) return;
    this.leftOut[kind].add(text, detail);
    if (this.#entry) this.#entry.hasProblem = true;
  }

  /** Counts entries that are left out for the same reason, without reading them. */
  leaveOut(kind: EntryKind, count: number, position: Position, reason: Reason): void {
    const text = textOf(reason);
    const detail = () => this.#detail(position, text);
    this.#problems.add(text, detail, count);
    if (kind === 'proxy') this.#essential.add(text, detail, count);
    this.leftOut[kind].add(text, detail, count);
  }

  note(position: Position, about: About): void {
    const text = textOf(about);
    this.ignored.add(text, () => this.#detail(position, text));
  }

  /** Adds a problem if the import is strict, else a note. */
  flaw(position: Position, about: About, hint?: Reason): void {
    if (this.strict) this.problem(position, about, hint);
    else this.note(position, about);
  }

  /**
   * Reads an entry, which counts once however many problems it has.
   * @param name is added to `failed` if it has one
   * @returns undefined if it has one
   * @throws LandfallError CONFIG_TOO_LARGE after the deadline
   */
  entry<Value>(kind: EntryKind, read: () => Value, name?: string): Value | undefined {
    this.#checkTime();
    this.#entry = { kind, hasProblem: false };
    try {
      const value = this.attempt(read);
      if (value === undefined && name !== undefined) this.failed.add(name);
      return value;
    } finally {
      this.#entry = undefined;
    }
  }

  /**
   * Reads the items of a list. Unless the import is strict, it stops after a number of entries, and
   * counts the rest as left out.
   */
  list<Item extends { readonly position: Position }, Entry>(
    items: readonly Item[],
    { kind, max, name }: { readonly kind: EntryKind; readonly max: number; readonly name: string },
    read: (item: Item) => Entry | undefined,
  ): Located<Entry>[] {
    const found: Located<Entry>[] = [];
    for (const [index, item] of items.entries()) {
      const { position } = item;
      if (found.length === max && !this.strict) {
        this.leaveOut(kind, items.length - index, position, `more-than ${max} ${name}`);
        break;
      }
      const entry = read(item);
      if (entry !== undefined) found.push({ entry, position });
    }
    return found;
  }

  /** Returns the result of a function, or undefined if it added problems. */
  attempt<Value>(read: () => Value): Value | undefined {
    const before = this.count;
    const value = read();
    return this.count === before ? value : undefined;
  }

  /**
   * Returns the error of all problems. Unless the import is strict, groups and rules are never a reason.
   * @returns undefined if there is no reason
   */
  error(hint: string): LandfallError | undefined {
    const { count, details } = this.strict ? this.#problems : this.#essential;
    if (count === 0) return undefined;
    const what = inLanguage({
      en: count === 1 ? '1 problem' : `${count} problems`,
      zh: `${count} 个问题`,
    });
    const more = count - maxProblems;
    const rest =
      more > 0
        ? inLanguage({ en: ` ${more} more are not shown.`, zh: `另有 ${more} 个没有列出。` })
        : '';
    return new LandfallError('CONFIG_INVALID', `${this.#file}: ${what}`, {
      hint: `${hint}${rest}`,
      problems: inWords(byPosition(details).slice(0, maxProblems)),
    });
  }

  #detail({ line, column }: Position, message: Text, reason?: Reason): Detail {
    const hint = reason && textOf(reason);
    return {
      ...{ file: this.#file, line },
      ...(column === undefined ? {} : { column }),
      ...{ message: message.en, hint: hint?.en, texts: { message, hint } },
    };
  }

  #checkTime(): void {
    if (Date.now() <= this.#deadline) return;
    throw new LandfallError('CONFIG_TOO_LARGE', `${this.#file} takes too long to read`, {
      hint: 'Check that this is the right file or URL.',
    });
  }
}

/** Returns problems in the order of their positions. */
export function byPosition<Found extends Problem>(problems: readonly Found[]): Found[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Returns a word for messages. Texts that do not look like a keyword are not repeated. */
export function quoted(word: string): string {
  return /^[A-Za-z][A-Za-z0-9_.+-]{0,31}$/.test(word) ? ` "${word}"` : '';
}
