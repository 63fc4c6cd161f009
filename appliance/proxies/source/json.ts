import { createScanner, type Node, parseTree } from 'jsonc-parser';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { buildJson, type Outline } from './build-json.ts';
import type { Path, Position, Source } from './source.ts';

/** Deeper than any real configuration; the parser is recursive. */
const deepest = 64;
const maxProblems = 20;
/** Longest value whose inner positions are found, in characters. */
const longestLocated = 1 << 18;

/**
 * Parses JSON with comments and trailing commas, as sing-box reads it.
 * @throws LandfallError CONFIG_SYNTAX with every problem
 */
export function parseJson(given: string, file: string): Source {
  const text = withoutHashComments(given);
  const starts = lineStarts(text);
  const positionAt = (offset: number) => positionIn(starts, offset);
  const tooDeep = depthBeyond(text);
  const json = tooDeep === undefined ? buildJson(text) : undefined;
  const findings = json?.findings ?? [
    { offset: tooDeep ?? 0, message: `values are nested more than ${deepest} levels deep` },
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
    if (end - start > longestLocated) return item ?? section.key;
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
    if (depth > deepest) return offset;
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
