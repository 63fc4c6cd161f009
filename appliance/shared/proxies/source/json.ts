import {
  createScanner,
  type Node,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Path, Position, Source } from './report.ts';

/** Deeper than any real configuration; the parser is recursive. */
const maxDepth = 64;
const maxProblems = 20;
/** Longest value whose inner positions are found, in characters. */
const maxLocatedLength = 1 << 18;

/**
 * Parses JSON with comments and trailing commas, as sing-box reads it.
 * @throws LandfallError CONFIG_SYNTAX with every problem
 */
export function parseJson(jsonc: string, file: string): Source {
  const text = withoutHashComments(jsonc);
  const starts = lineStarts(text);
  const positionAt = (offset: number) => positionIn(starts, offset);
  const tooDeep = depthBeyond(text);
  const json = tooDeep === undefined ? new JsonBuilder(text).build() : undefined;
  const findings = json?.findings ?? [
    { offset: tooDeep ?? 0, message: `values are nested more than ${maxDepth} levels deep` },
  ];
  if (findings.length > 0 || json?.value === undefined) {
    const problems = findings.map(
      ({ offset, message }): Problem => ({ file, ...positionAt(offset), message }),
    );
    throw new LandfallError('CONFIG_SYNTAX', `${file} is not valid JSON`, {
      hint: 'Fix the problems above and run the command again.',
      problems: problems.slice(0, maxProblems),
    });
  }
  const locate = locator(text, json.outline);
  return { value: json.value, positionOf: (at) => positionAt(locate(at)) };
}

/** Returns a function that finds the offset of the key or item at a path, or of its parent. */
function locator(text: string, outline: Outline): (at: Path) => number {
  let last: { readonly start: number; readonly root: Node | undefined } | undefined;
  return ([key = '', index, ...rest]) => {
    const section = outline.get(String(key));
    if (section === undefined) return outline.get('')?.key ?? 0;
    if (index === undefined) return section.key;
    const item = section.items[Number(index)];
    const [start, path] = item === undefined ? [section.value, [index, ...rest]] : [item, rest];
    if (path.length === 0) return start;
    const next = item === undefined ? undefined : section.items[Number(index) + 1];
    const end = next ?? section.end;
    if (end - start > maxLocatedLength) return item ?? section.key;
    if (last?.start !== start) {
      const options = { allowTrailingComma: true };
      last = { start, root: parseTree(text.slice(start, end), [], options) };
    }
    return last.root ? start + offsetOf(last.root, path) : start;
  };
}

/** Replaces comments with `#`, which the parser does not know, by spaces. Offsets stay the same. */
function withoutHashComments(text: string): string {
  if (!text.includes('#')) return text;
  const tokens = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|#[^\r\n]*/g;
  return text.replace(tokens, (token) =>
    token.startsWith('#') ? ' '.repeat(token.length) : token,
  );
}

/** Returns the offset of the key or item at a path, or of the last one that exists. */
function offsetOf(root: Node, at: Path): number {
  let [node, offset] = [root, root.offset];
  for (const step of at) {
    const found: Node | undefined =
      node.type === 'object'
        ? node.children?.find(({ children }) => children?.[0]?.value === step)
        : node.children?.[Number(step)];
    if (found === undefined) return offset;
    offset = found.offset;
    node = found.type === 'property' ? (found.children?.[1] ?? found) : found;
  }
  return offset;
}

function depthBeyond(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) return undefined;
    const first = text.charAt(offset);
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
    if (depth > maxDepth) return offset;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { 0: found, index } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + found.length);
  return starts;
}

function positionIn(starts: readonly number[], offset: number): Position {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** Where the values of the top level are, as offsets. The key `''` stands for the whole text. */
type Outline = ReadonlyMap<string, Section>;

interface Section {
  readonly key: number;
  readonly value: number;
  end: number;
  /** Where the items are, if the value is a list. */
  readonly items: number[];
}

interface Built {
  readonly value: unknown;
  readonly outline: Outline;
  readonly findings: readonly { readonly offset: number; readonly message: string }[];
}

type Container = Record<string, unknown> | unknown[];

/** Builds the value without a tree with the position of every value, which takes much more memory. */
class JsonBuilder {
  readonly #text: string;
  readonly #findings: { offset: number; message: string }[] = [];
  readonly #outline = new Map<string, Section>();
  readonly #open: Container[] = [];
  /** The key of the next value of each open object. */
  readonly #keys: { name: string; offset: number }[] = [];
  #root: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  build(): Built {
    const options = { allowTrailingComma: true };
    visit(
      this.#text,
      {
        onObjectBegin: (offset) => this.#begin({}, offset),
        onObjectProperty: (name, offset) => this.#name(name, offset),
        onObjectEnd: (offset) => this.#end(offset),
        onArrayBegin: (offset) => this.#begin([], offset),
        onArrayEnd: (offset) => this.#end(offset),
        onLiteralValue: (value, offset, length) => {
          this.#add(value, offset);
          if (this.#open.length === 1) this.#close(offset + length);
        },
        onError: (error, offset) => this.#report(offset, wording(error)),
      },
      options,
    );
    return { value: this.#root, outline: this.#outline, findings: this.#findings };
  }

  #begin(container: Container, offset: number): void {
    this.#add(container, offset);
    this.#open.push(container);
    this.#keys.push({ name: '', offset });
  }

  #end(offset: number): void {
    this.#open.pop();
    this.#keys.pop();
    if (this.#open.length === 1) this.#close(offset + 1);
  }

  /** Notes a key. Programs use different ones of two; assigning `__proto__` would hide the key. */
  #name(name: string, offset: number): void {
    const open = this.#open.at(-1);
    if (open && (Object.hasOwn(open, name) || name === '__proto__')) {
      this.#report(offset, 'duplicate or forbidden key');
    }
    this.#keys[this.#keys.length - 1] = { name, offset };
  }

  #add(value: unknown, offset: number): void {
    const [open, key] = [this.#open.at(-1), this.#keys.at(-1)];
    if (open === undefined) {
      this.#root = value;
      this.#outline.set('', { key: offset, value: offset, end: this.#text.length, items: [] });
    } else if (Array.isArray(open)) {
      if (this.#open.length === 2) this.#section()?.items.push(offset);
      open.push(value);
    } else if (key && key.name !== '__proto__') {
      open[key.name] = value;
      if (this.#open.length > 1) return;
      const section = { key: key.offset, value: offset, end: this.#text.length, items: [] };
      this.#outline.set(key.name, section);
    }
  }

  /** Returns the section that is open. */
  #section(): Section | undefined {
    return this.#outline.get(this.#keys[0]?.name ?? '');
  }

  #close(end: number): void {
    const section = this.#section();
    if (section) section.end = end;
  }

  #report(offset: number, message: string): void {
    if (this.#findings.length < maxProblems) this.#findings.push({ offset, message });
  }
}

/** Converts `CommaExpected` to `comma expected`. */
function wording(error: ParseErrorCode): string {
  return printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
}
