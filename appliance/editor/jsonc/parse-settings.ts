import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { LandfallError, type Problem } from '#contract/errors.ts';

/** One setting in a text. Offsets are in UTF-16 code units; ends are exclusive. */
interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
}

/** The settings of a text in file order. A text of only comments has no object. */
export interface ParsedSettings {
  readonly text: string;
  readonly entries: readonly Entry[];
  /** Offsets of the opening and the closing brace. */
  readonly braces: { readonly open: number; readonly close: number } | undefined;
}

/** Settings have two or three levels; the parser is recursive. */
const deepest = 100;

/**
 * Parses the settings of an editor: JSON with comments and trailing commas.
 * @param file the name in errors
 * @throws LandfallError CONFIG_SYNTAX with line and column; CONFIG_INVALID for another value than
 * an object
 */
export function parseSettings(text: string, file: string): ParsedSettings {
  refuseDepth(text, file);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first) throw syntaxError(file, syntaxProblem(text, file, first));
  if (root === undefined) return { text, entries: [], braces: undefined };
  if (root.type !== 'object') {
    throw new LandfallError('CONFIG_INVALID', `${file} does not contain an object`, {
      hint: 'Put the settings between { and }.',
    });
  }
  const entries = (root.children ?? []).flatMap(entryOf);
  const braces = { open: root.offset, close: root.offset + root.length - 1 };
  return { text, entries, braces };
}

/** Returns the entry of a key. An editor uses the last one. */
export function lastEntry({ entries }: ParsedSettings, key: string): Entry | undefined {
  return entries.findLast((entry) => entry.key === key);
}

function entryOf({ offset, length, children }: Node): Entry[] {
  const [key, value] = children ?? [];
  if (key === undefined || value === undefined) return [];
  return [
    {
      key: String(key.value),
      value: getNodeValue(value),
      start: offset,
      end: offset + length,
      valueStart: value.offset,
    },
  ];
}

function refuseDepth(text: string, file: string): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    if (offset >= text.length) return;
    const first = text.charAt(offset);
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
    if (depth > deepest) {
      throw syntaxError(file, problemAt(text, file, offset, `more than ${deepest} levels`));
    }
  }
}

/** Returns an error of the parser as a problem with line and column. */
export function syntaxProblem(text: string, file: string, { error, offset }: ParseError): Problem {
  // Converts `CommaExpected` to `comma expected`.
  const message = printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
  return problemAt(text, file, offset, message);
}

function problemAt(text: string, file: string, offset: number, message: string): Problem {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
}

function syntaxError(file: string, problem: Problem): LandfallError {
  return new LandfallError('CONFIG_SYNTAX', `${file} is not valid JSON with comments`, {
    hint: 'Fix the position below in the editor. The file was not changed.',
    problems: [problem],
  });
}
