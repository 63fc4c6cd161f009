/** The code host rejects longer notes. Characters. */
const maxNotes = 125_000;
const more = '\n\nThe rest is in notes.md.\n';

/** Returns notes that the code host accepts: the whole lines that fit. */
export function shortenedNotes(notes: string): string {
  if (notes.length <= maxNotes) return notes;
  const kept = notes.slice(0, maxNotes - more.length);
  return kept.slice(0, kept.lastIndexOf('\n')) + more;
}
