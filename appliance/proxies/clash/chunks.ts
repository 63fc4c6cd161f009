/** Lines of a text that are parsed alone. Line breaks are `\n`. */
export interface Chunk {
  /** The number of the first line. */
  readonly line: number;
  readonly text: string;
}

/** A section of the top level. */
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
  let start = 0;
  for (let index = 0; start <= text.length; index += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield { index, start, text: text.slice(start, end) };
    start = end + 1;
  }
}

const sectionStart = /^["']?([A-Za-z][\w -]{0,63}?)["']?\s*:(?:\s+(.*))?$/;

/** Yields the sections of the top level: keys without indentation, with the lines below them. */
export function* sectionsOf(whole: Chunk): Generator<Section> {
  let last: { readonly key: string; readonly line: Line; readonly isInline: boolean } | undefined;
  const until = (end: number): Section[] => {
    if (last === undefined) return [];
    const { key, line, isInline } = last;
    const text = whole.text.slice(line.start, end);
    return [{ key, isInline, chunk: { line: whole.line + line.index, text } }];
  };
  for (const line of linesOf(whole)) {
    const [, key, value = ''] = sectionStart.exec(line.text) ?? [];
    if (key === undefined) continue;
    yield* until(line.start);
    last = { key, line, isInline: !/^(?:#.*)?$/.test(value) };
  }
  yield* until(whole.text.length);
}

/** Yields the entries of a list below a key: lines with a dash, and the lines indented more. */
export function* entriesOf(section: Chunk): Generator<Chunk> {
  let base: number | undefined;
  let first: Line | undefined;
  const until = (end: number): Chunk[] => {
    if (first === undefined) return [];
    const text = section.text.slice(first.start, end);
    return [{ line: section.line + first.index, text }];
  };
  for (const line of linesOf(section)) {
    if (line.index === 0 || /^\s*(?:#.*)?$/.test(line.text)) continue;
    const indent = /^ */.exec(line.text)?.[0].length ?? 0;
    const isInside = first !== undefined && base !== undefined && indent > base;
    if (/^ *-(?: |$)/.test(line.text)) base ??= indent;
    if (isInside) continue;
    yield* until(line.start);
    first = line;
  }
  yield* until(section.text.length);
}

/**
 * Yields the lines that are a complete entry in flow style: `- {name: a}`, or `{name: a},` in a list
 * with brackets.
 */
export function* flowEntries(chunk: Chunk): Generator<Chunk> {
  for (const { index, text } of linesOf(chunk)) {
    const entry = /^\s*(?:-\s*)?(\{.*\})\s*,?\s*$/.exec(text)?.[1];
    if (entry !== undefined) yield { line: chunk.line + index, text: entry };
  }
}

/** Returns the column of the value of an entry. */
export function columnOf({ text }: Chunk): number {
  return (/^\s*(?:-\s+)?/.exec(text)?.[0].length ?? 0) + 1;
}
