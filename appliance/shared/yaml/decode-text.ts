import { LandfallError } from '#contract/errors.ts';

/**
 * Characters that can make a line display differently from its meaning: control characters, byte
 * order marks, and marks that change the text direction.
 */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/;

/**
 * Decodes a configuration file as UTF-8. Rejects byte order marks and invisible characters.
 * @throws LandfallError CONFIG_ENCODING
 */
export function decodeText(bytes: Uint8Array, file: string): string {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) {
    throw refuse(
      `${file} starts with a byte order mark`,
      'Save it as "UTF-8", not "UTF-8 with BOM".',
    );
  }
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])) {
    throw refuse(`${file} is encoded in UTF-16`, 'Save it as "UTF-8" in your editor.');
  }
  const text = decodeUtf8(bytes, file);
  const found = unseen.exec(text);
  if (found) throw invisible(text, found.index, file);
  return text;
}

/** Returns whether a text contains an invisible character. */
export function hasUnseen(text: string): boolean {
  return unseen.test(text);
}

/** Returns a text without invisible characters. */
export function withoutUnseen(text: string): string {
  return hasUnseen(text) ? text.replace(new RegExp(unseen, 'g'), '') : text;
}

/** Decodes UTF-8. Keeps a byte order mark. @throws LandfallError CONFIG_ENCODING */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refuse(`${file} is not UTF-8 text`, 'Save it as "UTF-8" in your editor.', cause);
  }
}

function invisible(text: string, index: number, file: string): LandfallError {
  const before = text.slice(0, index).split('\n');
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0');
  const message = `invisible character U+${code}`;
  return new LandfallError('CONFIG_ENCODING', `${file} contains an invisible character`, {
    hint: {
      en: 'Delete it, or retype the line if it was pasted from a web page or a document.',
      zh: '删除它；如果是从网页或文档粘贴的，请重新输入这一行。',
    },
    problems: [{ file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message }],
  });
}

function refuse(message: string, hint: string, cause?: unknown): LandfallError {
  return new LandfallError('CONFIG_ENCODING', message, { hint, cause });
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
