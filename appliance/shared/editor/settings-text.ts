import {
  applyEdits,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { SettingsFile } from './settings-file.ts';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** A text that an editor accepts, with its values. */
export interface ParsedSettings {
  readonly text: string;
  /** In the order of the text. An editor uses the last value of a key that occurs twice. */
  readonly entries: ReadonlyArray<readonly [key: string, value: unknown]>;
}

/** Parsed settings with the byte order mark of their file, which editors accept. */
interface DecodedSettings {
  readonly settings: ParsedSettings;
  readonly hasMark: boolean;
}

/**
 * Decodes and parses a settings file. A missing file is empty.
 * @throws LandfallError CONFIG_ENCODING, CONFIG_SYNTAX, CONFIG_INVALID
 */
export function decodeSettings({ path, bytes }: SettingsFile): DecodedSettings {
  const content = bytes ?? Buffer.alloc(0);
  const hasMark = content.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const text = textOf(hasMark ? content.subarray(byteOrderMark.length) : content, path);
  return { settings: parseSettings(text, path), hasMark };
}

/** Encodes a text for a file. */
export function encodeSettings(text: string, hasMark: boolean): Buffer {
  return Buffer.concat([hasMark ? byteOrderMark : Buffer.alloc(0), Buffer.from(text)]);
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new LandfallError('CONFIG_ENCODING', `${path} is not UTF-8 text`, {
      hint: 'Save it as UTF-8 in the editor. The file was not changed.',
      cause,
    });
  }
}

/**
 * Parses the settings of an editor: JSON with comments and trailing commas.
 * @param file the name in errors
 * @throws LandfallError CONFIG_SYNTAX with line and column; CONFIG_INVALID for another value than
 * an object
 */
export function parseSettings(text: string, file: string): ParsedSettings {
  const errors: ParseError[] = [];
  const root = treeOf(text, file, errors);
  const [first] = errors;
  if (first) throw syntaxError(file, [syntaxProblem(text, file, first)]);
  if (root === undefined) return { text, entries: [] };
  if (root.type === 'object') return { text, entries: (root.children ?? []).flatMap(entryOf) };
  throw new LandfallError('CONFIG_INVALID', `${file} does not contain an object`, {
    hint: 'Put the settings between { and }.',
  });
}

function treeOf(text: string, file: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    // The parser is recursive.
    if (!(error instanceof RangeError)) throw error;
    throw syntaxError(file, [{ file, message: 'too many levels' }]);
  }
}

function entryOf({ children: [key, value] = [] }: Node): Array<readonly [string, unknown]> {
  return key && value ? [[String(key.value), getNodeValue(value)]] : [];
}

/** Returns the value of a key; undefined without one. */
export function valueIn({ entries }: ParsedSettings, key: string): unknown {
  return entries.findLast(([name]) => name === key)?.[1];
}

/** Returns whether a setting is a list of texts, such as `http.noProxy`. */
export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/**
 * Returns the text with other values. Comments, indentation and line breaks are kept.
 * @param changes undefined removes a key
 * @throws LandfallError CONFIG_INVALID for a key that occurs twice: the library changes the first one,
 * and editors use the last one
 */
export function changeSettings(
  { text, entries }: ParsedSettings,
  changes: ReadonlyArray<readonly [key: string, value: unknown]>,
): string {
  for (const [key] of changes) {
    if (entries.filter(([name]) => name === key).length > 1) throw occursTwice(key);
  }
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize: /^( +)"/m.exec(text)?.[1]?.length ?? 4,
    eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
  };
  return changes.reduce(
    (left, [key, value]) => applyEdits(left, modify(left, [key], value, { formattingOptions })),
    text,
  );
}

/** Returns an error of the parser as a problem with line and column. */
export function syntaxProblem(text: string, file: string, { error, offset }: ParseError): Problem {
  // Converts `CommaExpected` to `comma expected`.
  const message = printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase();
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
}

function syntaxError(file: string, problems: Problem[]): LandfallError {
  return new LandfallError('CONFIG_SYNTAX', `${file} is not valid JSON with comments`, {
    hint: 'Fix the position below in the editor. The file was not changed.',
    problems,
  });
}

function occursTwice(key: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', `${key} occurs twice in the settings`, {
    hint: 'Delete the first one: the editor uses the last one. The file was not changed.',
  });
}
