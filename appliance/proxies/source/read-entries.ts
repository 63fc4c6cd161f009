import type { Fields } from './fields.ts';
import type { Located } from './parts.ts';
import type { EntryKind } from './report.ts';

/**
 * Reads the maps of a list. Unless the import is strict, it stops after a number of entries, and
 * counts the rest as left out.
 */
export function readEntries<Entry>(
  fields: Fields,
  key: string,
  { kind, most }: { readonly kind: EntryKind; readonly most: number },
  read: (fields: Fields) => Entry | undefined,
): Located<Entry>[] {
  const found: Located<Entry>[] = [];
  const sections = fields.sections(key, kind);
  for (const [index, section] of sections.entries()) {
    const { position } = section;
    if (found.length === most && !fields.report.strict) {
      const rest = sections.length - index;
      fields.report.leaveOut(kind, rest, position, `more than ${most} ${key}`);
      break;
    }
    const entry = read(section);
    if (entry !== undefined) found.push({ entry, position });
  }
  return found;
}
