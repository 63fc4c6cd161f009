import { LandfallError } from '#contract/errors.ts';
import { parseYamlText, type YamlFile } from '#yaml/parse.ts';
import { limits } from '../model/settings.ts';
import type { Reason } from '../source/reasons.ts';
import type { EntryKind, Path, Position, Report, Source } from '../source/report.ts';

interface List {
  readonly kind: EntryKind;
  /** Entries that are parsed; the rest is left out. */
  readonly max: number;
}

/** Sections whose entries are parsed one by one. */
const lists: ReadonlyMap<string, List> = new Map([
  ['proxies', { kind: 'proxy', max: 2 * limits.proxies }],
  ['proxy-groups', { kind: 'group', max: 2 * limits.groups }],
  ['rules', { kind: 'rule', max: limits.rules }],
]);
const others = ['port', 'socks-port', 'allow-lan', 'mode', 'log-level', 'dns'];

/** Maximum length of a text that is parsed at once, in characters. */
const maxChunkLength = 1 << 18;

/**
 * YAML of Clash, split into its sections and entries at their indentation. Each is parsed alone, so
 * that damage is confined and memory is bounded. Aliases across entries are not resolved.
 */
export class SplitYaml implements Source {
  /** Sections that are not read have an empty text. */
  readonly value: Record<string, unknown> = Object.create(null);
  readonly #report: Report;
  readonly #lines = new Map<string, number>();
  /** Where the entries of lists are. */
  readonly #chunks = new Map<string, Chunk[]>();
  /** The chunk whose positions were asked for last. */
  #last: { readonly chunk: Chunk; readonly yaml: YamlFile } | undefined;

  constructor(text: string, report: Report) {
    this.#report = report;
    const whole = { line: 1, text: text.replace(/\r\n?/g, '\n') };
    for (const { key, chunk, isInline } of sectionsOf(whole)) {
      if (key in this.value) {
        report.flaw({ line: chunk.line }, 'repeated-section');
        continue;
      }
      this.#lines.set(key, chunk.line);
      const list = lists.get(key);
      if (list) this.#readList(key, list, chunk, isInline);
      else this.value[key] = others.includes(key) ? this.#section(key, chunk) : '-';
    }
    // Without a section that can be recognized, entries in flow style still are.
    if (this.value.proxies !== undefined) return;
    const list = lists.get('proxies');
    if (list) this.#readEntries('proxies', list, flowEntries(whole));
  }

  positionOf([key = '', index, ...rest]: Path): Position {
    const chunk = this.#chunks.get(String(key))?.[Number(index)];
    if (chunk === undefined) return { line: this.#lines.get(String(key)) ?? 1 };
    if (rest.length === 0) return { line: chunk.line, column: columnOf(chunk) };
    // Parsed again only for the positions that are shown.
    const locate = () => this.#locate(chunk, rest);
    return {
      get line() {
        return locate().line;
      },
      get column() {
        return locate().column;
      },
    };
  }

  #readList(key: string, list: List, chunk: Chunk, isInline: boolean): void {
    // A list in brackets, or no list. If it is damaged, its lines are tried.
    const found = isInline ? this.#section(key, chunk) : undefined;
    if (found !== undefined) this.value[key] = found;
    else this.#readEntries(key, list, isInline ? flowEntries(chunk) : entriesOf(chunk));
  }

  #readEntries(key: string, { kind, max }: List, chunks: Iterable<Chunk>): void {
    const read: Chunk[] = [];
    const values: unknown[] = [];
    const add = (chunk: Chunk, value: unknown) => {
      read.push(chunk);
      values.push(value);
    };
    let count = 0;
    let last: Chunk | undefined;
    for (const chunk of chunks) {
      count += 1;
      if (count > max) last = chunk;
      else this.#readChunk(kind, chunk, add);
    }
    if (last) {
      const position = { line: last.line };
      this.#report.leaveOut(kind, count - max, position, `more-than ${max} ${key}`);
    }
    if (count === 0) return;
    this.#chunks.set(key, read);
    this.value[key] = values;
  }

  #readChunk(kind: EntryKind, chunk: Chunk, add: (chunk: Chunk, value: unknown) => void): void {
    const { yaml, reason, line = 1 } = parsed(chunk);
    if (yaml) {
      // A list of one entry.
      for (const value of [yaml.value].flat()) add(chunk, value);
      return;
    }
    const inner = [...flowEntries(chunk)];
    if (inner.length > 0 && chunk.text.trimEnd().includes('\n')) {
      for (const each of inner) this.#readChunk(kind, each, add);
      return;
    }
    this.#report.entry(kind, () => this.#report.problem({ line: chunk.line + line - 1 }, reason));
  }

  #section(key: string, chunk: Chunk): unknown {
    const { yaml, reason, line = 1 } = parsed(chunk);
    if (yaml) return (yaml.value as Record<string, unknown> | undefined)?.[key];
    this.#report.problem({ line: chunk.line + line - 1 }, reason);
    return undefined;
  }

  #locate(chunk: Chunk, path: Path): Position {
    if (this.#last?.chunk !== chunk) {
      const { yaml } = parsed(chunk);
      if (yaml === undefined) return { line: chunk.line };
      this.#last = { chunk, yaml };
    }
    const { value } = this.#last.yaml;
    const { line, column } = this.#last.yaml.locateKey(Array.isArray(value) ? [0, ...path] : path);
    return { line: chunk.line + line - 1, column };
  }
}

interface Parsed {
  readonly yaml?: YamlFile;
  /** Why it could not be parsed, with the line in the chunk. */
  readonly reason: Reason;
  readonly line?: number | undefined;
}

function parsed({ text }: Chunk): Parsed {
  if (text.length > maxChunkLength) return { reason: `longer-than ${maxChunkLength}` };
  try {
    return {
      yaml: parseYamlText(text, 'x', { asText: true, allowsHidden: true }),
      reason: 'no-yaml',
    };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const [first] = error.problems;
    return { reason: first ? `yaml ${first.message}` : 'no-yaml', line: first?.line };
  }
}

/** Lines of a text that are parsed alone. Line breaks are `\n`. */
interface Chunk {
  /** The number of the first line. */
  readonly line: number;
  readonly text: string;
}

interface Section {
  readonly key: string;
  readonly chunk: Chunk;
  /** Whether its value begins in the line of the key. */
  readonly isInline: boolean;
}

interface Line {
  /** The number in the chunk, from 0. */
  readonly index: number;
  /** The offset in the chunk. */
  readonly start: number;
  readonly text: string;
}

/** Yields lines one by one, because a hostile text has millions. */
function* linesOf({ text }: Chunk): Generator<Line> {
  let index = 0;
  for (const { 0: line, index: start } of text.matchAll(/(?<![^\n])[^\n]*/g)) {
    yield { index, start, text: line };
    index += 1;
  }
}

const sectionStart = /^["']?([A-Za-z][\w -]{0,63}?)["']?\s*:(?:\s+(.*))?$/;

/** Yields the lines from each that begins a chunk to the next. */
function* chunksOf(whole: Chunk, isFirst: (line: Line) => boolean): Generator<Chunk> {
  let first: Line | undefined;
  const until = (end?: number): Chunk[] =>
    first ? [{ line: whole.line + first.index, text: whole.text.slice(first.start, end) }] : [];
  for (const line of linesOf(whole)) {
    if (!isFirst(line)) continue;
    yield* until(line.start);
    first = line;
  }
  yield* until();
}

/** Yields the sections of the top level: keys without indentation, with the lines below them. */
function* sectionsOf(whole: Chunk): Generator<Section> {
  for (const chunk of chunksOf(whole, ({ text }) => sectionStart.test(text))) {
    const [, key = '', value = ''] = sectionStart.exec(chunk.text.split('\n', 1)[0] ?? '') ?? [];
    yield { key, chunk, isInline: !/^(?:#.*)?$/.test(value) };
  }
}

/** Returns the entries of a list below a key: lines with a dash, and the lines indented more. */
function entriesOf(section: Chunk): Generator<Chunk> {
  let base: number | undefined;
  return chunksOf(section, ({ index, text }) => {
    if (index === 0 || /^\s*(?:#.*)?$/.test(text)) return false;
    const indent = /^ */.exec(text)?.[0].length ?? 0;
    if (base !== undefined) return indent <= base;
    if (/^ *-(?: |$)/.test(text)) base = indent;
    return true;
  });
}

/**
 * Yields the lines that are a complete entry in flow style: `- {name: a}`, or `{name: a},` in a list
 * with brackets.
 */
function* flowEntries(chunk: Chunk): Generator<Chunk> {
  for (const { index, text } of linesOf(chunk)) {
    const entry = /^\s*(?:-\s*)?(\{.*\})\s*,?\s*$/.exec(text)?.[1];
    if (entry !== undefined) yield { line: chunk.line + index, text: entry };
  }
}

/** Returns the column of the value of an entry. */
function columnOf({ text }: Chunk): number {
  return (/^\s*(?:-\s+)?/.exec(text)?.[0].length ?? 0) + 1;
}
