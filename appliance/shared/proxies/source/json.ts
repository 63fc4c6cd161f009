import { createScanner, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { LineCounter } from 'yaml';
import { LandfallError } from '#contract/errors.ts';
import type { Path, Position, Source } from './report.ts';

/** Deeper than any real configuration; the parser is recursive. */
const maxDepth = 64;
const maxProblems = 20;

/**
 * Parses JSON with comments and trailing commas, as sing-box reads it.
 * @throws LandfallError CONFIG_SYNTAX with every problem
 */
export function parseJson(jsonc: string, file: string): Source {
  const text = withoutHashComments(jsonc);
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { 0: found, index } of text.matchAll(/\r\n|\n|\r/g))
    lines.addNewLine(index + found.length);
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const { value, start, offsets, findings } = build(text);
  if (findings.length > 0 || value === undefined) {
    throw new LandfallError('CONFIG_SYNTAX', `${file} is not valid JSON`, {
      hint: 'Fix the problems above and run the command again.',
      problems: findings.map(({ offset, message }) => ({ file, ...positionAt(offset), message })),
    });
  }
  return {
    value,
    positionOf: (at: Path) => {
      let [offset, parent]: [number, unknown] = [start, value];
      for (const step of at) {
        const places = offsets.get(parent);
        if (places === undefined || !Object.hasOwn(places, step)) break;
        offset = places[step] ?? offset;
        parent = (parent as Readonly<Record<string | number, unknown>>)[step];
      }
      return positionAt(offset);
    },
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

/** Offsets of the keys of an object or of the items of an array. */
type Offsets = Record<string | number, number>;

interface Built {
  readonly value?: unknown;
  /** Offset of the value. */
  readonly start: number;
  /** By object or array. */
  readonly offsets: ReadonlyMap<unknown, Offsets>;
  readonly findings: readonly { readonly offset: number; readonly message: string }[];
}

/** Builds the value and the offsets. A tree with the position of every value takes more memory. */
function build(text: string): Built {
  const offsets = new Map<unknown, Offsets>();
  const tooDeep = depthBeyond(text);
  if (tooDeep !== undefined) {
    const message = `values are nested more than ${maxDepth} levels deep`;
    return { start: 0, offsets, findings: [{ offset: tooDeep, message }] };
  }
  const findings: { offset: number; message: string }[] = [];
  const report = (offset: number, message: string) => {
    if (findings.length < maxProblems) findings.push({ offset, message });
  };
  const root: unknown[] = [];
  const open = [{ value: root as object, key: '', at: 0, isLocated: true }];
  const add = (value: unknown, offset: number) => {
    const parent = open.at(-1);
    if (parent === undefined || parent.key === '__proto__') return;
    const list = Array.isArray(parent.value) ? parent.value : undefined;
    if (parent.isLocated) {
      const places = offsets.get(parent.value) ?? {};
      places[list?.length ?? parent.key] = list ? offset : parent.at;
      offsets.set(parent.value, places);
    }
    if (list) list.push(value);
    else Object.assign(parent.value, { [parent.key]: value });
  };
  const begin = (value: object, offset: number) => {
    // No format has lists in lists; a hostile source has a million.
    const isInList = open.length > 1 && Array.isArray(open.at(-1)?.value);
    const isLocated = !Array.isArray(value) || !isInList;
    add(isLocated ? value : null, offset);
    open.push({ value, key: '', at: offset, isLocated });
  };
  const end = () => void open.pop();
  visit(
    text,
    {
      onObjectBegin: (offset) => begin({}, offset),
      onObjectProperty: (key, at) => {
        const parent = open.at(-1);
        if (parent === undefined) return;
        // Programs use different ones of two; assigning `__proto__` would hide the key.
        if (Object.hasOwn(parent.value, key) || key === '__proto__')
          report(at, 'duplicate or forbidden key');
        Object.assign(parent, { key, at });
      },
      onObjectEnd: end,
      onArrayBegin: (offset) => begin([], offset),
      onArrayEnd: end,
      onLiteralValue: add,
      onError: (error, offset) => report(offset, wording(error)),
    },
    { allowTrailingComma: true },
  );
  return { value: root[0], start: offsets.get(root)?.[0] ?? 0, offsets, findings };
}

/** Converts `CommaExpected` to `comma expected`. */
function wording(error: ParseErrorCode): string {
  return printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
}
