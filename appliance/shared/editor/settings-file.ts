import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  applyEdits,
  getNodeValue,
  modify,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { fileError } from '#files/file-error.ts';
import { isMissing, readRegular } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { decodeUtf8 } from '#yaml/decode-text.ts';
import { refuseOtherOwner } from './file-access.ts';

/** Maximum size of settings, in bytes. */
const maxBytes = 4 << 20;

/** A change of settings: undefined removes the key. */
export type SettingChange = readonly [key: string, value: unknown];

/** The settings of an editor: JSON with comments and trailing commas. */
export interface EditorSettings {
  /** Without symbolic links, because many users keep their settings in a repository. */
  readonly path: string;
  /** Undefined for a missing file. */
  readonly bytes: Buffer | undefined;
  /** Permission bits; undefined for a missing file. */
  readonly mode: number | undefined;
  /** The byte order mark, which editors accept, or nothing. */
  readonly mark: string;
  /** Without the byte order mark. */
  readonly text: string;
  /** In the order of the text. An editor uses the last value of a key that occurs twice. */
  readonly entries: readonly SettingChange[];
}

/**
 * Reads and parses settings. A missing file is empty.
 * @throws LandfallError FILE_ACCESS for a file of another user or a special file, CONFIG_ENCODING,
 * CONFIG_SYNTAX with line and column, CONFIG_INVALID for another value than an object
 */
export async function readSettings(file: string): Promise<EditorSettings> {
  try {
    const path = await realPathOf(file);
    await refuseOtherOwner(path);
    const found = await stat(path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return undefined;
    });
    const bytes = found && (await readRegular(path, maxBytes));
    if (found && !bytes) throw unreadable(`${path} is not a regular file of at most 4 MiB`);
    const all = decodeUtf8(bytes ?? Buffer.alloc(0), path);
    const text = all.replace(/^\ufeff/, '');
    const mark = all.slice(0, all.length - text.length);
    const mode = found && found.mode & 0o7777;
    return { path, bytes, mode, mark, text, entries: entriesOf(path, text) };
  } catch (error) {
    throw fileError(error, file);
  }
}

function entriesOf(path: string, text: string): SettingChange[] {
  const errors: ParseError[] = [];
  const root = treeOf(path, text, errors);
  if (errors[0]) {
    throw new LandfallError('CONFIG_SYNTAX', `${path} is not valid JSON with comments`, {
      hint: 'Fix the position below in the editor. The file was not changed.',
      problems: [syntaxProblem(text, path, errors[0])],
    });
  }
  if (root && root.type !== 'object') {
    throw new LandfallError('CONFIG_INVALID', `${path} does not contain an object`, {
      hint: 'Put the settings between { and }.',
    });
  }
  return (root?.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key && value ? [[String(key.value), getNodeValue(value)] as const] : [],
  );
}

function treeOf(path: string, text: string, errors: ParseError[]) {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (cause) {
    // The parser is recursive.
    if (!(cause instanceof RangeError)) throw cause;
    throw new LandfallError('CONFIG_INVALID', `${path} has values that are nested too deep`, {
      hint: 'Fix them in the editor. The file was not changed.',
      cause,
    });
  }
}

/** Returns an error of the parser as a problem with line and column. */
export function syntaxProblem(text: string, file: string, { error, offset }: ParseError): Problem {
  // Converts `CommaExpected` to `comma expected`.
  const message = printParseErrorCode(error)
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
}

/** Returns the value of a key; undefined without one. */
export function valueIn({ entries }: Pick<EditorSettings, 'entries'>, key: string): unknown {
  return entries.findLast(([name]) => name === key)?.[1];
}

/**
 * Returns the text with other values. Comments, indentation and line breaks are kept.
 * @throws LandfallError CONFIG_INVALID for a key that occurs twice: the library changes the first one,
 * and editors use the last one
 */
export function changeSettings(
  { text, entries }: Pick<EditorSettings, 'text' | 'entries'>,
  changes: readonly SettingChange[],
): string {
  for (const [key] of changes) {
    if (entries.filter(([name]) => name === key).length < 2) continue;
    throw new LandfallError('CONFIG_INVALID', `${key} occurs twice in the settings`, {
      hint: 'Delete the first one: the editor uses the last one. The file was not changed.',
    });
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

/**
 * Writes a file of the user atomically, and creates missing folders.
 * @throws LandfallError FILE_ACCESS, DISK_FULL
 */
export async function writeSettings(
  path: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, content, mode === undefined ? {} : { mode });
  } catch (error) {
    throw fileError(error, path);
  }
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (await lstat(path).catch(() => undefined))
      throw unreadable(`${path} is not a link to a file`);
    return path;
  }
}

function unreadable(message: string): LandfallError {
  return new LandfallError('FILE_ACCESS', message, {
    hint: 'Use the path of settings.json.',
  });
}
