/**
 * POSIX extended regular expressions that together match every word of small letters but these: such
 * expressions have no "not". After each letter they go on with the words that have this letter there,
 * or with any letters at all. One expression for each first letter of the words, and one for the rest.
 */
export function otherThan(words: readonly string[]): string[] {
  const letters = firstLetters(words);
  return [`${butFor(letters)}[a-z]*`, ...letters.map((letter) => beginning(letter, words))];
}

/** Words that begin like some of these. */
function beginning(letter: string, words: readonly string[]): string {
  const rests = words.filter((word) => word[0] === letter).map((word) => word.slice(1));
  const next = firstLetters(rests);
  if (next.length === 0) return `${letter}[a-z]+`;
  const known = next.map((each) => beginning(each, rests));
  const longer = `(${[`${butFor(next)}[a-z]*`, ...known].join('|')})`;
  // A word that is whole here must go on.
  return `${letter}${longer}${rests.includes('') ? '' : '?'}`;
}

function firstLetters(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => word[0] ?? []))].sort();
}

/** Any letter but these, as ranges: `[a-km-z]`. */
function butFor(letters: readonly string[]): string {
  const ranges = [...alphabet]
    .map((letter) => (letters.includes(letter) ? ' ' : letter))
    .join('')
    .match(/\S+/g);
  return `[${(ranges ?? []).map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run)).join('')}]`;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';
