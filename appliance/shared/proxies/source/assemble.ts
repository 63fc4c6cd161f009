import {
  findFaults,
  type Group,
  isBuiltIn,
  namesInCircles,
  type Rule,
  removeEmpty,
} from '../model/groups-and-rules.ts';
import { defaults, type Parts, type ProxySettings, settingsSchema } from '../model/settings.ts';
import type { ProxyEntry } from '../protocols/registry.ts';
import { withoutInformation } from './information.ts';
import { type Reason, reasonIn } from './reasons.ts';
import type { Located, Position, Report } from './report.ts';

/** The name of the group that sources without groups get. */
const defaultGroup = 'PROXY';

const start: Position = { line: 1 };

type Lists = { readonly [List in 'proxies' | 'groups' | 'rules']: Parts[List] };

/**
 * Joins what a reader found to settings: adds the defaults, and checks references. Unless the import
 * is strict, entries that do not fit together are left out or changed.
 * @returns undefined after a reported problem, or if no proxy is left
 */
export function assemble(found: Parts, report: Report): ProxySettings | undefined {
  const parts = withoutInformation(found, report);
  const lists = withDefaults(report.strict ? parts : repair(parts, report), report);
  const all = {
    proxies: entries(lists.proxies),
    'proxy-groups': entries(lists.groups),
    rules: entries(lists.rules),
  };
  if (report.strict) {
    for (const { path, reason } of findFaults(all, report.failed))
      report.problem(positionOf(lists, path), reason);
  }
  if (all.proxies.length === 0 || (report.strict && report.count > 0)) return undefined;
  const settings = { ...defaults, ...freePorts(parts.general), ...parts.general, ...all };
  const { success, data, error } = settingsSchema.safeParse(settings);
  if (success) return data;
  for (const { path, message } of error.issues)
    report.problem(start, { at: path.join('.'), reason: reasonIn(message) });
  return undefined;
}

/** The default of a port, if the other one has taken it. */
function freePorts(general: Parts['general']): Parts['general'] {
  if (general.port === defaults['socks-port']) return { 'socks-port': defaults.port };
  return general['socks-port'] === defaults.port ? { port: defaults['socks-port'] } : {};
}

/** Adds a group of all proxies if there is none, and rules if there are none. */
function withDefaults({ proxies, groups, rules }: Lists, report: Report): Lists {
  const names = new Set(proxies.map(({ entry }) => entry.name));
  const name = freeName(defaultGroup, names);
  const all: Group = { name, type: 'select', proxies: [...names] };
  const used = groups.length > 0 || names.size === 0 ? groups : [{ entry: all, position: start }];
  const target = used[0]?.entry.name ?? 'DIRECT';
  const defaultRules: Rule[] = [
    { type: 'GEOIP', value: 'LAN', target: 'DIRECT', resolve: false },
    { type: 'MATCH', target },
  ];
  const written =
    rules.length > 0 ? rules : defaultRules.map((entry) => ({ entry, position: start }));
  // A rule for the rest may be among those that are left out.
  const rest = report.leftOut.rule.count > 0 ? target : 'DIRECT';
  const routed = written.map(({ entry, position }) => ({
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

/**
 * Makes the entries of a source fit together: numbers duplicate names of proxies, and leaves out
 * groups and members of groups that do not exist. Rules with a missing target use the first group, so
 * that nothing connects directly instead: their target is empty.
 */
function repair({ proxies, groups, rules }: Parts, report: Report): Lists {
  const numbered = proxies.map(numberedNames(report));
  const names = new Set(numbered.map(({ entry }) => entry.name));
  const existing = existingGroups(groups, names, report);
  for (const { entry } of existing) names.add(entry.name);
  return { proxies: numbered, groups: existing, rules: reachable(rules, names, report) };
}

function existingGroups(
  groups: readonly Located<Group>[],
  proxies: ReadonlySet<string>,
  report: Report,
): Located<Group>[] {
  const leaveOut = ({ position }: Located<Group>, reason: Reason) =>
    void report.entry('group', () => report.problem(position, reason));
  const byName = new Map<string, Located<Group>>();
  for (const group of groups) {
    const { name } = group.entry;
    if (byName.has(name) || proxies.has(name)) leaveOut(group, 'group-repeated');
    else byName.set(name, group);
  }
  const circles = new Set(namesInCircles([...byName.values()].map(({ entry }) => entry)));
  for (const [name, group] of byName) {
    if (!circles.has(name)) continue;
    leaveOut(group, 'group-in-itself');
    byName.delete(name);
  }
  const exists = (name: string) => isBuiltIn(name) || proxies.has(name) || byName.has(name);
  const members = new Map(
    [...byName].map(([name, { entry }]) => [name, new Set(entry.proxies.filter(exists))]),
  );
  for (const name of removeEmpty(members)) {
    const group = byName.get(name);
    if (group) leaveOut(group, 'group-empty');
    byName.delete(name);
  }
  return [...byName].map(([name, { entry, position }]) => ({
    entry: { ...entry, proxies: [...(members.get(name) ?? [])] },
    position,
  }));
}

function reachable(
  rules: readonly Located<Rule>[],
  names: ReadonlySet<string>,
  report: Report,
): Located<Rule>[] {
  const end = rules.findIndex(({ entry }) => entry.type === 'MATCH');
  return rules.slice(0, end === -1 ? undefined : end + 1).map(({ entry, position }) => {
    if (isBuiltIn(entry.target) || names.has(entry.target)) return { entry, position };
    report.note(position, 'first-group');
    return { entry: { ...entry, target: '' }, position };
  });
}

/** Returns a function that numbers duplicate names of proxies: `HK`, `HK 2`, … */
export function numberedNames(report: Report) {
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return ({ entry, position }: Located<ProxyEntry>): Located<ProxyEntry> => {
    const number = numbers.get(entry.name) ?? 1;
    const name = freeName(entry.name, used, number);
    numbers.set(entry.name, number + 1);
    used.add(name);
    if (name === entry.name) return { entry, position };
    report.note(position, 'name-numbered');
    return { entry: { ...entry, name }, position };
  };
}

/**
 * Returns a name that is not in use: `PROXY`, `PROXY 2`, …
 * @param first the number to begin with; 1 is the name without a number
 */
function freeName(name: string, used: ReadonlySet<string>, first = 1): string {
  for (let number = first; ; number += 1) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!used.has(free)) return free;
  }
}
