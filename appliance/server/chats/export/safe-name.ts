/** Control, format, private and unassigned characters, and separators of lines and paragraphs. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Characters that Windows, or a path, does not allow. */
const forbidden = /[<>:"/\\|?*]+/g;
/** Devices of Windows, with any extension. */
const device =
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i;
/** An extension that is kept when a name is shortened. */
const extension = /\.[\p{L}\p{N}]{1,10}$/u;

interface NameOptions {
  /** The name of a text without a usable character. */
  readonly fallback: string;
  /** Maximum length in bytes of UTF-8. */
  readonly max: number;
}

/**
 * Converts an untrusted text, such as a title, to the name of a file on Linux, macOS and Windows: one part
 * of a path, without control characters, of limited length, never hidden. Keeps the extension.
 */
export function safeName(text: string, { fallback, max }: NameOptions): string {
  // Limit the input: a title may have megabytes. The end has the extension.
  const start = text.length > 2000 ? `${text.slice(0, 1000)}${text.slice(-1000)}` : text;
  const plain = start
    .replace(/\s+/g, ' ')
    .replace(unseen, '')
    .replace(forbidden, '-')
    .normalize('NFC');
  const name = shortened(trimmed(plain), max) || fallback;
  return device.test(name) ? `_${name}` : name;
}

/** Removes what hides a file, looks like an option, or is ignored by Windows. */
function trimmed(name: string): string {
  return name.replace(/^[\s.~-]+/u, '').replace(/[\s.-]+$/u, '');
}

function shortened(name: string, max: number): string {
  if (Buffer.byteLength(name) <= max) return name;
  const { stem, end } = splitName(name);
  return `${trimmed(startOf(stem, max - Buffer.byteLength(end)))}${end}`;
}

/** Returns whole characters of at most this many bytes. */
function startOf(text: string, max: number): string {
  let size = 0;
  let start = '';
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > max) break;
    start += character;
  }
  return start;
}

/** Splits a name before its extension. */
function splitName(name: string): { stem: string; end: string } {
  const end = extension.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - end.length), end };
}

/** The names in a folder: different ones also where upper case and other forms of a character do not count. */
export class FolderNames {
  readonly #taken = new Set<string>();
  /** The last number by name, so that a thousand equal names need no search. */
  readonly #numbers = new Map<string, number>();

  /** Returns the name, with a number before its extension if another file has it. */
  take(name: string): string {
    const { stem, end } = splitName(name);
    const key = keyOf(name);
    for (let number = this.#numbers.get(key) ?? 1; ; number += 1) {
      const numbered = number === 1 ? name : `${stem}-${number}${end}`;
      if (this.#taken.has(keyOf(numbered))) continue;
      this.#taken.add(keyOf(numbered));
      this.#numbers.set(key, number + 1);
      return numbered;
    }
  }
}

const keyOf = (name: string) => name.normalize('NFKC').toUpperCase().toLowerCase();
