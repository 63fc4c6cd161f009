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
import { inLanguage } from '#contract/text/language.ts';
import { checkNodes, type DocumentOptions } from './nodes.ts';
import { typingMistakes } from './typing-mistakes.ts';
import { type SyntaxFinding, syntaxWording } from './wording.ts';

/** Deeper than any real configuration, and safe for recursive functions. */
const maxDepth = 64;
/** A broken file can have thousands of problems; only the first ones are useful. */
const maxProblems = 20;

const composerOptions = {
  version: '1.2',
  merge: true,
  stringKeys: true,
  resolveKnownTags: false,
  // The library's check is quadratic; `checkNodes` finds duplicates instead.
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
  options: DocumentOptions = {},
): { document: Document<ParsedNode>; lines: LineCounter } {
  const { document, second, lines } = composed(text, file, options);
  const findings = [...document.errors, ...document.warnings].map(wordingOf);
  if (second) findings.push(severalDocuments(second.range[0]));
  if (findings.length > 0 && !options.asText) {
    // Their other errors are consequences, and often false.
    const mistakes = typingMistakes(text);
    if (mistakes.length > 0) throw broken(file, lines, mistakes);
  }
  findings.push(...checkNodes(document, text, options));
  if (findings.length > 0) throw broken(file, lines, findings);
  return { document, lines };
}

/**
 * Parses YAML that another person wrote for other programs: with tags, anchors, duplicate keys and further
 * documents, which the caller finds in the nodes. Aliases are not expanded.
 * @throws LandfallError CONFIG_SYNTAX for text that cannot be parsed
 */
export function parseForeignYaml(text: string, file: string): ComposedYaml {
  const yaml = composed(text, file);
  const { errors } = yaml.document;
  if (errors.length === 0) return yaml;
  const mistakes = typingMistakes(text);
  throw broken(file, yaml.lines, mistakes.length > 0 ? mistakes : errors.map(wordingOf));
}

/** A document as the parser composes it, and the one behind it, if there is one. */
interface ComposedYaml {
  readonly document: Document.Parsed;
  readonly second: Document.Parsed | undefined;
  readonly lines: LineCounter;
}

function composed(text: string, file: string, options: DocumentOptions = {}): ComposedYaml {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = tokens.map(depthBeyond).find((offset) => offset !== undefined);
  if (tooDeep !== undefined) throw broken(file, lines, [nestedTooDeeply(tooDeep)]);
  const composer = new Composer({
    ...composerOptions,
    ...(options.asText ? { schema: 'failsafe', customTags: ['null'] } : { schema: 'core' }),
  });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (!document) throw broken(file, lines, [emptyStream()]);
  return { document, second, lines };
}

/**
 * Returns the offset at which a token is nested too deeply. The check runs before the composer,
 * which takes minutes for 128 Ki levels of `? `.
 */
function depthBeyond(root: CST.Token): number | undefined {
  let level: CST.Token[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return level[0]?.offset;
    const inner: CST.Token[] = [];
    for (const token of level) addChildren(token, inner);
    level = inner;
  }
  return undefined;
}

/** Adds the keys and values of a token to a list, without scalars, which have no children. */
function addChildren(token: CST.Token, list: CST.Token[]): void {
  if (token.type === 'document' && token.value) list.push(token.value);
  if (!('items' in token)) return;
  for (const { key, value } of token.items) {
    if (key && 'items' in key) list.push(key);
    if (value && 'items' in value) list.push(value);
  }
}

function broken(
  file: string,
  lines: LineCounter,
  findings: readonly SyntaxFinding[],
): LandfallError {
  const byLine = new Map<number, Problem>();
  for (const { offset, ...wording } of findings) {
    const { line, col } = lines.linePos(offset);
    // One mistake often causes several errors in a line; only the first is reported.
    if (!byLine.has(line)) byLine.set(line, { file, line, column: col, ...wording });
  }
  const problems = [...byLine.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const left = problems.length - maxProblems;
  return new LandfallError(
    'CONFIG_SYNTAX',
    inLanguage({ en: `${file} is not valid YAML`, zh: `${file} 不是有效的 YAML` }),
    {
      hint:
        left > 0
          ? `Fix the problems above first; ${left} more lines have problems.`
          : 'Fix the problems above and run the command again.',
      problems: problems.slice(0, maxProblems),
    },
  );
}

function wordingOf(error: YAMLError): SyntaxFinding {
  return { offset: error.pos[0], ...syntaxWording(error) };
}

function nestedTooDeeply(offset: number): SyntaxFinding {
  return {
    offset,
    message: inLanguage({
      en: `values are nested more than ${maxDepth} levels deep`,
      zh: `值的嵌套超过 ${maxDepth} 级`,
    }),
    hint: inLanguage({ en: 'Check that this is the right file.', zh: '检查是不是这个文件。' }),
  };
}

function severalDocuments(offset: number): SyntaxFinding {
  return {
    offset,
    message: inLanguage({ en: 'a second document starts here', zh: '从这里开始是第二个文档' }),
    hint: inLanguage({
      en: 'Keep one document: remove the line "---" or "..." and everything after it.',
      zh: '只保留一个文档：删除 --- 或 ... 这一行和它之后的内容。',
    }),
  };
}

function emptyStream(): SyntaxFinding {
  return {
    offset: 0,
    message: inLanguage({ en: 'the file contains no document', zh: '文件是空的' }),
    hint: inLanguage({
      en: 'Create a new file with `landfall init`.',
      zh: '用 `landfall init` 生成新文件。',
    }),
  };
}
