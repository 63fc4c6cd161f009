/**
 * Returns POSIX extended regular expressions that together match every lower-case word except these,
 * because POSIX has no negation. One expression per first letter of the words, and one for all other
 * first letters. Each expression branches by letter: it continues with the words that share the prefix,
 * or matches any rest.
 */
export function otherThan(words: readonly string[]): string[] {
  const letters = firstLetters(words);
  return [`${butFor(letters)}[a-z]*`, ...letters.map((letter) => beginning(letter, words))];
}

/** Returns the expression for words with this first letter. */
function beginning(letter: string, words: readonly string[]): string {
  const rests = words.filter((word) => word[0] === letter).map((word) => word.slice(1));
  const next = firstLetters(rests);
  if (next.length === 0) return `${letter}[a-z]+`;
  const known = next.map((each) => beginning(each, rests));
  const longer = `(${[`${butFor(next)}[a-z]*`, ...known].join('|')})`;
  // An excluded word that is complete here must be followed by another letter.
  return `${letter}${longer}${rests.includes('') ? '' : '?'}`;
}

function firstLetters(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => word[0] ?? []))].sort();
}

/** Returns a bracket expression for all letters except these: `[a-km-z]`. */
function butFor(letters: readonly string[]): string {
  const ranges = [...alphabet]
    .map((letter) => (letters.includes(letter) ? ' ' : letter))
    .join('')
    .match(/\S+/g);
  return `[${(ranges ?? []).map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run)).join('')}]`;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';
