import { findFaults } from '../model/faults.ts';
import type { Group, Rule } from '../model/rule.ts';
import { defaults, most, type Settings, settingsSchema } from '../model/settings.ts';
import { freeName } from './names.ts';
import type { Located, Parts } from './parts.ts';
import { repair } from './repair.ts';
import type { Report } from './report.ts';
import type { Position } from './source.ts';

/** The name of the group that sources without groups get. */
const usualGroup = 'PROXY';

const start: Position = { line: 1 };

/** The lists of a source. */
type Lists = { readonly [List in 'proxies' | 'groups' | 'rules']: Parts[List] };

/**
 * Joins what a reader found to settings: adds the defaults, and checks references. Unless the import
 * is strict, entries that do not fit together are left out or changed.
 * @returns undefined after a reported problem, or if no proxy is left
 */
export function assemble(parts: Parts, report: Report): Settings | undefined {
  if (!isSmall(parts, report)) return undefined;
  const lists = report.strict
    ? checked(parts, report)
    : withDefaults(repair(parts, report), report);
  if (lists.proxies.length === 0 || (report.strict && report.count > 0)) return undefined;
  const settings = {
    ...defaults,
    ...freePorts(parts.general),
    ...parts.general,
    proxies: entries(lists.proxies),
    'proxy-groups': entries(lists.groups),
    rules: entries(lists.rules),
  };
  const { success, data, error } = settingsSchema.safeParse(settings);
  if (success) return data;
  for (const { path, message } of error.issues)
    report.problem(start, `${path.join('.')}: ${message}`);
  return undefined;
}

/** Reports every fault between entries. */
function checked(parts: Parts, report: Report): Lists {
  const lists = withDefaults(parts, report);
  const [groups, rules] = [entries(lists.groups), entries(lists.rules)];
  const all = { proxies: entries(lists.proxies), 'proxy-groups': groups, rules };
  for (const { path, message } of findFaults(all, parts.failed))
    report.problem(positionOf(lists, path), message);
  return lists;
}

/** The default of a port, if the other one has taken it. */
function freePorts(general: Parts['general']): Parts['general'] {
  if (general.port === defaults['socks-port']) return { 'socks-port': defaults.port };
  return general['socks-port'] === defaults.port ? { port: defaults['socks-port'] } : {};
}

function isSmall({ proxies, groups, rules }: Parts, report: Report): boolean {
  const counts = { proxies: proxies.length, groups: groups.length, rules: rules.length };
  for (const list of ['proxies', 'groups', 'rules'] as const) {
    if (counts[list] > most[list]) report.problem(start, `more than ${most[list]} ${list}`);
  }
  return (['proxies', 'groups', 'rules'] as const).every((list) => counts[list] <= most[list]);
}

/** Adds a group of all proxies if there is none, and rules if there are none. */
function withDefaults({ proxies, groups, rules }: Lists, report: Report): Lists {
  const names = new Set(proxies.map(({ entry }) => entry.name));
  const name = freeName(usualGroup, names);
  const all: Group = { name, type: 'select', proxies: [...names] };
  const used = groups.length > 0 || names.size === 0 ? groups : [{ entry: all, position: start }];
  const target = used[0]?.entry.name ?? 'DIRECT';
  const usual: Rule[] = [
    { type: 'GEOIP', value: 'LAN', target: 'DIRECT', resolve: false },
    { type: 'MATCH', target },
  ];
  const given = rules.length > 0 ? rules : usual.map((entry) => ({ entry, position: start }));
  // A rule for the rest may be among those that are left out.
  const rest = report.leftOut.rule.count > 0 ? target : 'DIRECT';
  const routed = given.map(({ entry, position }) => ({
    entry: entry.target === '' ? { ...entry, target } : entry,
    position,
  }));
  return { proxies, groups: used, rules: completed(routed, rest) };
}

/**
 * Ends the rules with MATCH: without it, clients connect directly. Once a rule has resolved the name,
 * the later ones compare the address too.
 */
function completed(rules: Lists['rules'], target: string): Lists['rules'] {
  const last = rules.at(-1);
  const rest: Rule = { type: 'MATCH', target };
  const ended =
    last?.entry.type === 'MATCH'
      ? rules
      : [...rules, { entry: rest, position: last?.position ?? start }];
  const first = ended.findIndex(({ entry }) => 'resolve' in entry && entry.resolve);
  return ended.map(({ entry, position }, index) => ({
    entry:
      'resolve' in entry && first !== -1 && index > first ? { ...entry, resolve: true } : entry,
    position,
  }));
}

function entries<Entry>(list: readonly Located<Entry>[]): Entry[] {
  return list.map(({ entry }) => entry);
}

const listOf = { proxies: 'proxies', 'proxy-groups': 'groups', rules: 'rules' } as const;
type FaultPath = readonly (string | number)[];

function positionOf(lists: Lists, [list, index]: FaultPath): Position {
  return lists[listOf[list as keyof typeof listOf]]?.[Number(index)]?.position ?? start;
}
