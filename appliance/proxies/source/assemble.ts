import { findFaults } from '../model/faults.ts';
import type { Group, Rule } from '../model/rule.ts';
import { defaults, most, type Settings, settingsSchema } from '../model/settings.ts';
import type { Located, Parts } from './parts.ts';
import type { Report } from './report.ts';
import type { Position } from './source.ts';

/** The name of the group that sources without groups get. */
const usualGroup = 'PROXY';

const start: Position = { line: 1 };

type Lists = { -readonly [List in 'proxies' | 'groups' | 'rules']: Parts[List] };

/**
 * Joins what a reader found to settings: adds the defaults, and checks references.
 * @param skip whether entries with problems are left out; otherwise they only are reported
 * @returns undefined after a reported problem, or if no proxy is left
 */
export function assemble(parts: Parts, report: Report, skip: boolean): Settings | undefined {
  if (!isSmall(parts, report)) return undefined;
  const lists = withDefaults(parts);
  const failed = skip ? new Set<string>() : parts.failed;
  for (;;) {
    const groups = entries(lists.groups);
    const faults = findFaults(
      { proxies: entries(lists.proxies), 'proxy-groups': groups, rules: entries(lists.rules) },
      failed,
    );
    for (const { path, message } of faults) report.problem(positionOf(lists, path), message);
    if (!skip || faults.length === 0) break;
    remove(
      lists,
      faults.map(({ path }) => path),
    );
    lists.rules = completed(lists.rules);
  }
  if (lists.proxies.length === 0 || (!skip && report.problems.length > 0)) return undefined;
  if (lists.groups.length === 0)
    Object.assign(lists, withDefaults({ ...parts, ...lists, rules: [] }));
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
function withDefaults({ proxies, groups, rules }: Parts): Lists {
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
  return { proxies, groups: used, rules: completed(given) };
}

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

/**
 * Ends the rules with MATCH: without it, clients connect directly. Once a rule has resolved the name,
 * the later ones compare the address too.
 */
function completed(rules: Lists['rules']): Lists['rules'] {
  const last = rules.at(-1);
  const direct: Rule = { type: 'MATCH', target: 'DIRECT' };
  const ended =
    last?.entry.type === 'MATCH'
      ? rules
      : [...rules, { entry: direct, position: last?.position ?? start }];
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

/** Removes the entries with faults; of a group with wrong members, only these. */
function remove(lists: Lists, paths: readonly FaultPath[]): void {
  const gone = new Set(paths.map((path) => path.join('.')));
  const stays = (list: string) => (_item: unknown, index: number) =>
    !gone.has(`${list}.${index}`) && !gone.has(`${list}.${index}.name`);
  const groups = lists.groups.map(({ entry, position }, index) => {
    const proxies = entry.proxies.filter(
      (_name, at) => !gone.has(`proxy-groups.${index}.proxies.${at}`),
    );
    return { entry: { ...entry, proxies }, position };
  });
  lists.proxies = lists.proxies.filter(stays('proxies'));
  lists.groups = groups
    .filter(stays('proxy-groups'))
    .filter(({ entry }) => entry.proxies.length > 0);
  lists.rules = lists.rules.filter(stays('rules'));
}
