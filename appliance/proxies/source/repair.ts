import { addTo, namesInCircles } from '../model/faults.ts';
import type { ProxyEntry } from '../model/proxy.ts';
import { type Group, isBuiltIn, type Rule } from '../model/rule.ts';
import { numberedNames } from './names.ts';
import type { Located, Parts } from './parts.ts';
import type { Report } from './report.ts';

/** The lists of a source without faults between their entries. */
interface Repaired {
  readonly proxies: readonly Located<ProxyEntry>[];
  readonly groups: readonly Located<Group>[];
  /** The target `''` stands for the first group. */
  readonly rules: readonly Located<Rule>[];
}

/**
 * Makes the entries of a source fit together: numbers duplicate names of proxies, and leaves out
 * groups and members of groups that do not exist. Rules with a missing target use the first group, so
 * that nothing connects directly instead.
 */
export function repair({ proxies, groups, rules }: Parts, report: Report): Repaired {
  const numbered = numberedNames(proxies, report);
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
  const leaveOut = ({ position }: Located<Group>, reason: string) =>
    void report.entry('group', () => report.problem(position, reason));
  const byName = new Map<string, Located<Group>>();
  for (const group of groups) {
    const { name } = group.entry;
    if (byName.has(name) || proxies.has(name)) leaveOut(group, 'duplicate name of a group');
    else byName.set(name, group);
  }
  const circles = new Set(namesInCircles([...byName.values()].map(({ entry }) => entry)));
  for (const [name, group] of byName) {
    if (!circles.has(name)) continue;
    leaveOut(group, 'the group contains itself');
    byName.delete(name);
  }
  const members = membersOf(byName, proxies);
  for (const name of emptied(members)) {
    const group = byName.get(name);
    if (group) leaveOut(group, 'none of its members is imported');
    byName.delete(name);
  }
  return [...byName].map(([name, { entry, position }]) => ({
    entry: { ...entry, proxies: [...(members.get(name) ?? [])] },
    position,
  }));
}

/** Returns the members of each group that exist. */
function membersOf(
  groups: ReadonlyMap<string, Located<Group>>,
  proxies: ReadonlySet<string>,
): Map<string, Set<string>> {
  const exists = (name: string) => isBuiltIn(name) || proxies.has(name) || groups.has(name);
  return new Map(
    [...groups].map(([name, { entry }]) => [name, new Set(entry.proxies.filter(exists))]),
  );
}

/** Removes groups without members, also from other groups. @returns their names */
function emptied(members: Map<string, Set<string>>): string[] {
  const parents = new Map<string, string[]>();
  for (const [name, inner] of members) {
    for (const member of inner) {
      if (members.has(member)) addTo(parents, member, name);
    }
  }
  const empty = [...members].filter(([, inner]) => inner.size === 0).map(([name]) => name);
  for (const name of empty) {
    for (const parent of parents.get(name) ?? []) {
      const inner = members.get(parent);
      inner?.delete(name);
      if (inner?.size === 0) empty.push(parent);
    }
  }
  return empty;
}

function reachable(
  rules: readonly Located<Rule>[],
  names: ReadonlySet<string>,
  report: Report,
): Located<Rule>[] {
  const end = rules.findIndex(({ entry }) => entry.type === 'MATCH');
  return rules.slice(0, end === -1 ? undefined : end + 1).map(({ entry, position }) => {
    if (isBuiltIn(entry.target) || names.has(entry.target)) return { entry, position };
    report.note(position, 'the target of a rule is not imported: the first group is used');
    return { entry: { ...entry, target: '' }, position };
  });
}
