/**
 * What an answer must not say of the account that all relay keys share. Providers quote keys whole, or
 * with stars or dots in their middle, and the identifiers of organizations and projects.
 */

/** How a text may write a key: as it is, in JSON, in JSON of PHP, in a URL. Longest first. */
export function spellingsOf(key: string): string[] {
  if (key === '') return [];
  const json = JSON.stringify(key).slice(1, -1);
  const all = [key, json, json.replaceAll('/', '\\/'), encodeURIComponent(key)];
  return [...new Set(all)].sort((one, other) => other.length - one.length);
}

/** Keys by the beginnings that providers give them, and what a mask has made of any key. */
const accountParts = [
  String.raw`\b(?:sk|org|proj|xai|pplx|csk|nvapi)-[\w*.…•-]{6,}`,
  String.raw`\b(?:gsk|hf|r8|fw)_[\w*.…•-]{6,}`,
  String.raw`\bAIza[\w*.…•-]{6,}`,
  String.raw`[\w-]{0,128}[*•]{3,}[\w*.•-]*`,
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
  const gap = String.raw`(?:(?<!\.)\.{2,}|…|(?<!\*)\*+)`;
  const [first, last] = [literal(key.slice(0, 4)), literal(key.slice(-4))];
  return [String.raw`${first}[\w-]{0,16}${gap}[\w.*…-]*`, `${gap} ?${last}`];
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
