import type { z } from 'zod';
import { type Reason, reasonIn } from './reasons.ts';
import {
  type EntryKind,
  type Path,
  type Position,
  quoted,
  type Report,
  type Source,
} from './report.ts';
import { mayProtect, unprotected } from './security-keys.ts';

/** Maximum number of items of a list. */
const maxItems = 20_000;

type Values = Readonly<Record<string, unknown>>;

/** Values that mean the same as a missing field. */
const unset: readonly unknown[] = [false, 'false', 0, '0', ''];
const unsupported = 'unsupported';

/**
 * Reads the fields of one entry. Each method reports an invalid value with its position, and returns
 * undefined for it and for a missing field. `end` reports the fields that were not read.
 */
export class Fields {
  readonly report: Report;
  readonly #source: Source;
  readonly #path: Path;
  readonly #values: Values;
  /** The keys that can be imported, and those that are reported separately. */
  readonly #allowed = new Set<string>();
  readonly #known = new Set<string>();

  constructor(report: Report, source: Source, path: Path, values: Values) {
    this.report = report;
    this.#source = source;
    this.#path = path;
    this.#values = values;
  }

  /** The position of the entry. */
  get position(): Position {
    return this.#source.positionOf(this.#path);
  }

  /** Returns the position of a field, or of an item in its list. */
  positionOf(...at: [key: string, index?: number]): Position {
    return this.#source.positionOf([...this.#path, ...at.filter((step) => step !== undefined)]);
  }

  /** Reports a problem of a field. */
  problem(key: string, reason: Reason, hint?: Reason): undefined {
    this.report.problem(this.positionOf(key), { at: key, reason }, hint);
  }

  /** Returns whether a field is present and not empty. */
  has(key: string): boolean {
    return this.#value(key) !== undefined;
  }

  /** Returns a text. Numbers are accepted, because YAML without quotes has them. */
  text(key: string): string | undefined {
    const value = this.#value(key);
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
    return this.problem(key, 'no-text');
  }

  /** Returns a text that fits a schema. */
  valid<Value>(key: string, schema: z.ZodType<Value>): Value | undefined {
    return this.check(key, schema, this.text(key));
  }

  /** Returns a value that fits a schema; undefined stays undefined. */
  check<Value>(key: string, schema: z.ZodType<Value>, value: unknown): Value | undefined {
    if (value === undefined) return undefined;
    const { success, data, error } = schema.safeParse(value);
    return success ? data : this.problem(key, reasonIn(error.issues[0]?.message ?? 'invalid'));
  }

  /** Returns a whole number, also of a text with digits. */
  number(key: string, schema: z.ZodType<number>): number | undefined {
    const value = this.#value(key);
    const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value);
    return this.check(key, schema, isDigits ? Number(value) : value);
  }

  /** Returns a boolean, also of the texts true and false. */
  flag(key: string): boolean | undefined {
    const value = this.#value(key);
    if (value === undefined || typeof value === 'boolean') return value;
    if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return /^true$/i.test(value);
    return this.problem(key, 'no-flag');
  }

  /** Returns one of several values. */
  choice<Value extends string>(
    key: string,
    allowed: readonly Value[],
    text = this.text(key),
  ): Value | undefined {
    const found = allowed.find((value) => value === text);
    if (text === undefined || found !== undefined) return found;
    return this.problem(key, `unknown-value ${quoted(text)}`, `allowed ${allowed.join(', ')}`);
  }

  /** Returns a list of texts; a single text is a list of one. */
  texts(key: string): string[] | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const texts = list.map((item) => (typeof item === 'number' ? String(item) : item));
    const wrong = texts.findIndex((item) => typeof item !== 'string');
    if (wrong === -1) return texts as string[];
    const position = this.positionOf(key, Array.isArray(value) ? wrong : undefined);
    this.report.problem(position, { at: key, reason: 'no-texts' });
    return undefined;
  }

  /** Returns the fields of a map. */
  section(key: string): Fields | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (isMap(value)) return this.#at([key], value);
    return this.problem(key, 'no-map');
  }

  /** Reads a map of options, which is empty if it is missing, and reports its unread fields. */
  within<Value>(key: string, read: (options: Fields) => Value): Value {
    const options = this.section(key) ?? this.#at([key], {});
    const value = read(options);
    options.end();
    return value;
  }

  /** Returns the fields of each map in a list. Other items are reported as entries of a kind. */
  sections(key: string, kind: EntryKind = 'setting'): Fields[] {
    const value = this.#value(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.problem(key, 'no-list');
      return [];
    }
    if (value.length > maxItems) {
      const position = this.positionOf(key, maxItems);
      const rest = value.length - maxItems;
      this.report.leaveOut(kind, rest, position, `more-than ${maxItems} ${key}`);
    }
    return value.slice(0, maxItems).flatMap((item: unknown, index) => {
      if (isMap(item)) return [this.#at([key, index], item)];
      const { report } = this;
      report.entry(kind, () =>
        report.problem(this.positionOf(key, index), { at: key, reason: 'no-map' }),
      );
      return [];
    });
  }

  /** Returns the names of all fields. */
  keys(): string[] {
    return Object.keys(this.#values);
  }

  /** Returns a value as it is, without marking it as read. */
  raw(key: string): unknown {
    const value = Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
    return value === null || value === '' ? undefined : value;
  }

  /** Notes fields that are not imported. */
  leaveOut(keys: readonly string[], reason: Reason = 'not-imported'): void {
    for (const key of keys) {
      this.#known.add(key);
      if (this.raw(key) !== undefined) this.report.note(this.positionOf(key), { at: key, reason });
    }
  }

  /** Notes all fields that were not read. */
  leaveOutRest(): void {
    this.leaveOut(this.#unread());
  }

  /** Reports fields that cannot be imported, unless they have the value of a missing one. */
  refuse(keys: string | readonly string[], defaults: readonly unknown[] = unset): void {
    for (const key of this.#set(keys, defaults)) this.problem(key, unsupported);
  }

  /** Ignores fields without which the entry works. In a strict import, they are a problem. */
  ignore(keys: string | readonly string[], defaults: readonly unknown[] = unset): void {
    for (const key of this.#set(keys, defaults)) this.flaw(key, unsupported);
  }

  /** Adds a problem of a field if the import is strict, else a note. */
  flaw(key: string, reason: Reason, hint?: Reason): undefined {
    this.report.flaw(this.positionOf(key), { at: key, reason }, hint);
  }

  /**
   * Reports all fields that were not read. Unless the import is strict, they are ignored.
   * @param isExact whether the entry means something else without them
   */
  end(isExact = false): void {
    const hint: Reason = `allowed ${[...this.#allowed].join(', ')}`;
    for (const key of this.#unread()) {
      const position = this.positionOf(key);
      const reason: Reason = `unknown-key ${quoted(key)}`;
      if (isExact) this.report.problem(position, reason, hint);
      else if (mayProtect(key)) this.refuse(key, [...unset, ...unprotected]);
      else this.report.flaw(position, reason, hint);
    }
  }

  #set(keys: string | readonly string[], defaults: readonly unknown[]): string[] {
    return [keys].flat().filter((key) => {
      this.#known.add(key);
      const value = this.raw(key);
      return value !== undefined && !isEmpty(value) && !defaults.includes(value);
    });
  }

  #unread(): string[] {
    return Object.keys(this.#values).filter(
      (key) => !this.#allowed.has(key) && !this.#known.has(key),
    );
  }

  #value(key: string): unknown {
    this.#allowed.add(key);
    return this.raw(key);
  }

  #at(steps: Path, values: Values): Fields {
    return new Fields(this.report, this.#source, [...this.#path, ...steps], values);
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Returns whether a value is a map of YAML or an object of JSON. */
export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
