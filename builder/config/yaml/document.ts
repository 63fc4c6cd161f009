import {
  Composer,
  type CST,
  type Document,
  LineCounter,
  type ParsedNode,
  Parser,
  type YAMLError,
} from 'yaml';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { judgeNodes } from './nodes.ts';
import { type SyntaxFinding, syntaxWording } from './wording.ts';

/** Deeper than any configuration goes, shallow enough for every function that recurses. */
const maxDepth = 64;
/** A broken file can have thousands; nobody reads more. */
const maxProblems = 20;

const options = {
  version: '1.2',
  schema: 'core',
  merge: true,
  stringKeys: true,
  resolveKnownTags: false,
  // Its search is quadratic; `judgeNodes` looks for duplicates instead.
  uniqueKeys: false,
  prettyErrors: false,
} as const;

/**
 * Parses one YAML document.
 * @throws LandfallError CONFIG_SYNTAX with every problem found
 */
export function parseYamlDocument(
  text: string,
  file: string,
): { document: Document<ParsedNode>; lines: LineCounter } {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = tokens.map(depthBeyond).find((offset) => offset !== undefined);
  if (tooDeep !== undefined) throw broken(file, lines, [nestedTooDeeply(tooDeep)]);
  const [document, second] = new Composer(options).compose(tokens, true, text.length);
  if (!document) throw broken(file, lines, [emptyStream]);
  const findings = [...document.errors, ...document.warnings].map(wordingOf);
  if (second) findings.push(severalDocuments(second.range[0]));
  findings.push(...judgeNodes(document));
  if (findings.length > 0) throw broken(file, lines, findings);
  return { document: document as Document<ParsedNode>, lines };
}

/**
 * The offset at which a token nests too deeply. The parser's own nesting is checked before the
 * composer sees it: at 128 Ki levels of `? ` that one works for minutes.
 */
function depthBeyond(root: CST.Token): number | undefined {
  const open: Array<{ token: CST.Token; depth: number }> = [{ token: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return token.offset;
    for (const inner of childrenOf(token)) open.push({ token: inner, depth: depth + 1 });
  }
  return undefined;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child != null);
}

function broken(
  file: string,
  lines: LineCounter,
  findings: readonly SyntaxFinding[],
): LandfallError {
  const byLine = new Map<number, Problem>();
  for (const { offset, message, hint } of findings) {
    const { line, col } = lines.linePos(offset);
    // One mistake often breaks a line in several ways; the first one says enough.
    if (!byLine.has(line)) byLine.set(line, { file, line, column: col, message, hint });
  }
  const problems = [...byLine.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const left = problems.length - maxProblems;
  return new LandfallError('CONFIG_SYNTAX', `${file} is not valid YAML`, {
    hint:
      left > 0
        ? `Mend the places below first; ${left} more lines have problems.`
        : 'Mend the places below, then run the command again.',
    problems: problems.slice(0, maxProblems),
  });
}

function wordingOf(error: YAMLError): SyntaxFinding {
  return { offset: error.pos[0], ...syntaxWording(error) };
}

function nestedTooDeeply(offset: number): SyntaxFinding {
  return {
    offset,
    message: `values are nested more than ${maxDepth} levels deep`,
    hint: 'No setting needs this; check that this is the right file.',
  };
}

function severalDocuments(offset: number): SyntaxFinding {
  return {
    offset,
    message: 'a second document starts here',
    hint: 'Keep one document in the file: remove the line "---" or "..." and what follows.',
  };
}

const emptyStream: SyntaxFinding = {
  offset: 0,
  message: 'there is no document in the file',
  hint: 'Write a new one with `landfall init`.',
};
