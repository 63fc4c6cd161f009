import { isDirectNameserver, type Nameserver } from '../model/nameserver.ts';
import { type Group, groupSchema, isBuiltIn, type Rule } from '../model/rule.ts';
import { defaults, type Settings } from '../model/settings.ts';
import { nameSchema, usableName } from '../model/text.ts';
import { compact, type Unchecked } from '../protocols/protocol.ts';
import type { ProxyEntry } from '../protocols/registry.ts';
import type { Fields } from './fields.ts';
import type { EntryKind, Position, Report } from './report.ts';

/** What the readers of all formats share, besides the fields of proxies. */

/** An entry and its position in the source. */
export interface Located<Entry> {
  readonly entry: Entry;
  readonly position: Position;
}

/** Settings outside of lists. */
export type General = {
  readonly [Key in 'port' | 'socks-port' | 'allow-lan' | 'mode' | 'log-level' | 'dns']?:
    | Settings[Key]
    | undefined;
};

/** What a reader of a format found: valid entries, which may refer to missing ones. */
export interface Parts {
  readonly proxies: readonly Located<ProxyEntry>[];
  readonly groups: readonly Located<Group>[];
  readonly rules: readonly Located<Rule>[];
  readonly general: General;
  /** Names of entries with problems. References to them are not reported again. */
  readonly failed: ReadonlySet<string>;
}

/**
 * Reads the maps of a list. Unless the import is strict, it stops after a number of entries, and
 * counts the rest as left out.
 */
export function readEntries<Entry>(
  fields: Fields,
  key: string,
  { kind, max }: { readonly kind: EntryKind; readonly max: number },
  read: (fields: Fields) => Entry | undefined,
): Located<Entry>[] {
  const found: Located<Entry>[] = [];
  const sections = fields.sections(key, kind);
  for (const [index, section] of sections.entries()) {
    const { position } = section;
    if (found.length === max && !fields.report.strict) {
      const rest = sections.length - index;
      fields.report.leaveOut(kind, rest, position, `more than ${max} ${key}`);
      break;
    }
    const entry = read(section);
    if (entry !== undefined) found.push({ entry, position });
  }
  return found;
}

/** Reads the name of an entry. @param key `name` of mihomo, `tag` of sing-box */
export function nameOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : fields.check(key, nameSchema, usableName(text));
}

/** Returns the names of the members of a group as {@link nameOf} reads them. */
export function memberNames(names: readonly string[] | undefined): string[] | undefined {
  return names?.map((name) => (isBuiltIn(name) ? name : usableName(name)));
}

/** The note for a duplicate name. */
export const duplicateName = 'duplicate name: a number is added';

/**
 * Returns a name that is not in use: `PROXY`, `PROXY 2`, …
 * @param first the number to begin with; 1 is the name without a number
 */
export function freeName(name: string, used: ReadonlySet<string>, first = 1): string {
  for (let number = first; ; number += 1) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!used.has(free)) return free;
  }
}

/** Numbers duplicate names: `HK`, `HK 2`, … */
export function numberedNames(
  proxies: readonly Located<ProxyEntry>[],
  report: Report,
): Located<ProxyEntry>[] {
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return proxies.map(({ entry, position }) => {
    const number = numbers.get(entry.name) ?? 1;
    const name = freeName(entry.name, used, number);
    numbers.set(entry.name, number + 1);
    used.add(name);
    if (name === entry.name) return { entry, position };
    report.note(position, duplicateName);
    return { entry: { ...entry, name }, position };
  });
}

/** The test of proxies if a group sets none. */
export const defaultTest = {
  url: 'https://www.gstatic.com/generate_204',
  interval: 300,
  tolerance: 50,
} as const;

/** Validates a group, and reports problems at its line. */
export function finishGroup(fields: Fields, draft: Unchecked<Group>): Group | undefined {
  const present = compact(draft);
  const { success, data, error } = groupSchema.safeParse(present);
  if (success) return data;
  for (const { path, message } of error.issues) {
    const key = String(path[0] ?? '');
    const isMissing = !(key in present);
    fields.report.problem(
      fields.has(key) ? fields.positionOf(key) : fields.position,
      `${key}: ${isMissing ? 'is missing' : message}`,
    );
  }
  return undefined;
}

/** Adds what clients need to resolve the names of DNS servers. */
export function completeDns(
  enable: boolean,
  nameserver: readonly Nameserver[],
  first: Nameserver | undefined,
): Settings['dns'] {
  const list = enable && nameserver.length === 0 ? defaults.dns.nameserver : nameserver;
  const isResolvable = list.length === 0 || list.some(isDirectNameserver);
  const resolver = first ?? (isResolvable ? undefined : defaults.dns.nameserver[0]);
  return { enable, nameserver: [...list], ...(resolver ? { 'default-nameserver': resolver } : {}) };
}
