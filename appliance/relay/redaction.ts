/**
 * What an answer must not say of the account that all relay keys share. Providers quote keys whole, or
 * with stars or dots in their middle, and the identifiers of organizations and projects.
 */

/** How a text may write a key: as it is, in JSON, in JSON of PHP, .NET or Go, in a URL. Longest first. */
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
 * The dots and bullets of masks: as characters, as the bytes that filters of bodies see, and in JSON.
 */
const ellipsis = String.raw`…|\xe2\x80\xa6|\\u2026`;
const bullet = String.raw`•|\xe2\x80\xa2|\\u2022`;
const masked = String.raw`(?:[\w*.-]|${ellipsis}|${bullet})`;
/** What an escape of JSON such as `\n` ends with is no part of the word that follows. */
const begin = String.raw`(?:\b|(?<=\\(?:[bfnrt]|u[\da-fA-F]{4})))`;
const notEscape = String.raw`(?<!\\(?:u[\da-fA-F]{0,3})?)`;

/** Keys by the beginnings that providers give them, and what a mask has made of any key. */
const accountParts = [
  `${begin}(?:sk|org|proj|xai|pplx|csk|nvapi)-${masked}{6,}`,
  `${begin}(?:gsk|hf|r8|fw)_${masked}{6,}`,
  `${begin}AIza${masked}{6,}`,
  String.raw`${notEscape}[\w-]{0,128}(?:\*|${bullet}){3,}(?:[\w*.-]|${bullet})*`,
].join('|');

/**
 * Takes keys and identifiers out of the words of an error. Model names and prose may look like some of
 * them, so this is for errors alone.
 * @param key the provider's own
 * @param mark stands for what was found
 */
export function withoutAccount(
  text: string,
  key: string,
  mark: (found: string) => string = () => '***',
): string {
  const parts = [...spellingsOf(key).map(literal), ...masksOf(key), accountParts];
  return text.replace(new RegExp(parts.join('|'), 'g'), mark);
}

/** The first or last characters of a key beside the dots that stand for the rest. */
function masksOf(key: string): string[] {
  if (key.length < 12) return [];
  // Only whole runs: from every character of a long run of dots, the time would grow with its square.
  const gap = String.raw`(?:(?<!\.)\.{2,}|${ellipsis}|(?<!\*)\*+)`;
  const [first, last] = [literal(key.slice(0, 4)), literal(key.slice(-4))];
  return [String.raw`${first}[\w-]{0,16}${gap}(?:[\w.*-]|${ellipsis})*`, `${gap} ?${last}`];
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
