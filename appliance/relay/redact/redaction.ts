import { concatBytes } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';

/**
 * Redacts details of the account that all relay keys share. Providers quote keys in full or masked with
 * asterisks or dots, and quote identifiers of organizations and projects.
 */

/** Keys for which something is kept: those of the providers of a relay. */
const maxKeys = 64;

/** Computes once for each key what costs more than a request. */
export function perKey<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = compute(key);
    if (known.size >= maxKeys) known.clear();
    known.set(key, computed);
    return computed;
  };
}

/** Returns the encodings of a key: plain, JSON, JSON of PHP, .NET or Go, URL. Longest first. */
export function spellingsOf(key: string): string[] {
  if (key === '') return [];
  const json = JSON.stringify(key).slice(1, -1);
  const all = [key, json, json.replaceAll('/', '\\/'), encodeURIComponent(key)];
  for (const special of [/["&'+<>`\\]/g, /[&<>]/g]) {
    const escaped = key.replace(special, unicodeEscape);
    all.push(
      escaped,
      escaped.replace(/(?<=\\u)..../g, (digits) => digits.toUpperCase()),
    );
  }
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * The dots and bullets of masks: as characters, as UTF-8 bytes in body filters, and as JSON escapes.
 */
const ellipsis = '\u2026|\\xe2\\x80\\xa6|\\\\u2026';
const bullet = '\u2022|\\xe2\\x80\\xa2|\\\\u2022';
const masked = String.raw`(?:[\w*.-]|${ellipsis}|${bullet})`;
/** The last letter of a JSON escape such as `\n` does not belong to the word that follows. */
const begin = String.raw`(?:\b|(?<=\\(?:[bfnrt]|u[\da-fA-F]{4})))`;
const notEscape = String.raw`(?<!\\(?:u[\da-fA-F]{0,3})?)`;

/** Keys and identifiers by their known prefixes, and masked keys. */
const accountParts = [
  `${begin}(?:sk|org|proj|xai|pplx|csk|nvapi)-${masked}{6,}`,
  `${begin}(?:gsk|hf|r8|fw)_${masked}{6,}`,
  `${begin}AIza${masked}{6,}`,
  String.raw`${notEscape}[\w-]{0,128}(?:\*|${bullet}){3,}(?:[\w*.-]|${bullet})*`,
].join('|');

/**
 * Removes keys and identifiers from an error message. Use it for errors only, because model names and
 * prose can match the patterns.
 * @param key the provider's key
 * @param mark returns the replacement of a match
 */
export function withoutAccount(
  text: string,
  key: string,
  mark: (found: string) => string = () => '***',
): string {
  return text.replace(accountPattern(key), mark);
}

const accountPattern = perKey((key) => {
  const parts = [...spellingsOf(key).map(literal), ...masksOf(key), accountParts];
  return new RegExp(parts.join('|'), 'g');
});

/** What identifies a client besides keys: logins of URLs, bearer tokens, tokens in queries, JSON Web Tokens. */
const tokenParts = [
  String.raw`(?<=\b[Bb]earer\s)[\w.~+/-]{6,}=*`,
  String.raw`(?<=[?&](?:access_token|api[_-]?key|key|token)=)[^\s&"']{6,}`,
  String.raw`(?<=:\/\/)[^\s/@:]{1,128}:[^\s/@]{1,256}(?=@)`,
  String.raw`\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`,
].join('|');

/** Shorter secrets match ordinary words. Characters. */
const shortest = 6;

/**
 * Returns a function that removes secrets, keys and tokens from a line of a log. The pattern is compiled
 * once, because logs have many lines.
 */
export function withoutSecrets(secrets: readonly string[]): (line: string) => string {
  const long = secrets.filter((secret) => secret.length >= shortest);
  const spellings = long.flatMap(spellingsOf).sort((one, other) => other.length - one.length);
  const pattern = new RegExp([...spellings.map(literal), tokenParts, accountParts].join('|'), 'g');
  return (line) => line.replace(pattern, '***');
}

/** Returns patterns of a masked key: its first or last characters beside dots or asterisks. */
function masksOf(key: string): string[] {
  if (key.length < 12) return [];
  // Match whole runs only: otherwise a long run of dots takes quadratic time.
  const gap = String.raw`(?:(?<!\.)\.{2,}|${ellipsis}|(?<!\*)\*+)`;
  const [first, last] = [literal(key.slice(0, 4)), literal(key.slice(-4))];
  return [String.raw`${first}[\w-]{0,16}${gap}(?:[\w.*-]|${ellipsis})*`, `${gap} ?${last}`];
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Changes a body chunk by chunk. The length stays the same, so `Content-Length` remains valid. */
export interface Filter {
  /** Takes the next chunk and returns the bytes that are ready to send, possibly none. */
  push(chunk: Uint8Array): Uint8Array;
  /** Returns the remaining bytes at the end of the body. */
  end(): Uint8Array;
  /** Whether the filter has ended the body before the provider did. */
  readonly isEnded?: boolean;
}

/** Returns a filter that applies two, one after the other. */
export function chained(first: Filter, second: Filter): Filter {
  return {
    push: (chunk) => second.push(first.push(chunk)),
    end: () => joined(second.push(first.end()), second.end()),
    get isEnded() {
      return second.isEnded === true;
    },
  };
}

export const nothing: Uint8Array = new Uint8Array(0);

/** Concatenates two arrays of bytes, of which one is usually empty: the other is returned without a copy. */
export function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (other.length === 0) return one;
  return one.length === 0 ? other : concatBytes(one, other);
}

export const star = '*'.charCodeAt(0);

/** Returns one character per byte, so that patterns can match arbitrary bytes. */
export function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096)
    // Spreading would iterate byte by byte.
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + 4096));
  return text;
}

/** Reverses {@link charactersOf}. */
export function bytesOf(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a JSON text is an error, in any of the formats that providers use. */
export function isErrorBody(text: string): boolean {
  const { error, errors, type, object, response, choices, code, message, base_resp } = fieldsOf(
    parseJson(text),
  );
  return (
    [error, errors, base_resp, fieldsOf(response).error].some(Boolean) ||
    [type, object].includes('error') ||
    (code !== undefined && message !== undefined) ||
    (Array.isArray(choices) && choices.some((choice) => fieldsOf(choice).error))
  );
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
