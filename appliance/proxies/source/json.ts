import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Path, Position, Source } from './source.ts';

/** Deeper than any real configuration; the parser is recursive. */
const deepest = 64;
const maxProblems = 20;

/**
 * Parses JSON with comments and trailing commas, as sing-box reads it.
 * @throws LandfallError CONFIG_SYNTAX with every problem
 */
export function parseJson(given: string, file: string): Source {
  const text = withoutHashComments(given);
  const starts = lineStarts(text);
  const positionAt = (offset: number) => positionIn(starts, offset);
  const tooDeep = depthBeyond(text);
  const errors: ParseError[] = [];
  const root =
    tooDeep === undefined ? parseTree(text, errors, { allowTrailingComma: true }) : undefined;
  const findings =
    tooDeep === undefined
      ? [
          ...errors.map(({ offset, error }) => ({ offset, message: wording(error) })),
          ...duplicates(root),
        ]
      : [{ offset: tooDeep, message: `values are nested more than ${deepest} levels deep` }];
  if (findings.length > 0 || root === undefined) {
    const problems = findings.map(
      ({ offset, message }): Problem => ({ file, ...positionAt(offset), message }),
    );
    throw new LandfallError('CONFIG_SYNTAX', `${file} is not valid JSON`, {
      hint: 'Fix the problems below and run the command again.',
      problems: problems.slice(0, maxProblems),
    });
  }
  return { value: getNodeValue(root), positionOf: (at) => positionAt(offsetOf(root, at)) };
}

/** Replaces comments with `#`, which the parser does not know, by spaces. Offsets stay the same. */
function withoutHashComments(text: string): string {
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

/** Finds duplicate keys, of which programs use different ones. */
function duplicates(root: Node | undefined): { offset: number; message: string }[] {
  const open = root ? [root] : [];
  const found: { offset: number; message: string }[] = [];
  for (let node = open.pop(); node; node = open.pop()) {
    const keys = new Set<unknown>();
    for (const child of node.children ?? []) {
      open.push(child);
      if (node.type !== 'object') continue;
      const key = child.children?.[0]?.value;
      // Assigning `__proto__` would hide the key.
      if (keys.has(key) || key === '__proto__') {
        found.push({ offset: child.offset, message: 'duplicate or forbidden key' });
      }
      keys.add(key);
    }
  }
  return found;
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
    if (depth > deepest) return offset;
  }
}

/** Converts `CommaExpected` to `comma expected`. */
function wording(error: ParseError['error']): string {
  return printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
}

function lineStarts(text: string): number[] {
  return [
    0,
    ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: { length }, index }) => index + length),
  ];
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
