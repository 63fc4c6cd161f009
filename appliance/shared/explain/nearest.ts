/**
 * Returns the known word that is closest to a mistyped one, or undefined if more than a third of its
 * letters differ (Levenshtein distance; a swap of neighbours counts as one).
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceBetween(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const limit = Math.max(1, Math.floor(word.length / 3));
  return best && best.distance <= limit ? best.candidate : undefined;
}

/** Longer words are not compared, to bound the cost. */
const maxLength = 64;

function distanceBetween(a: string, b: string): number {
  if (a.length > maxLength || b.length > maxLength) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + same,
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
