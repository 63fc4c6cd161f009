import { z } from 'zod';
import { type ProxyEntry, proxySchema } from '../protocols/registry.ts';
import { isDirectNameserver, nameserverSchema, publicNameservers } from './nameserver.ts';
import { builtInTargets, type Group, groupSchema, type Rule, ruleSchema } from './rule.ts';
import { portSchema } from './text.ts';

/** Limits of one import. */
export const limits = { proxies: 5000, groups: 500, rules: 20_000, bytes: 4 << 20 } as const;

export const modes = ['rule', 'global', 'direct'] as const;
export const logLevels = ['silent', 'error', 'warning', 'info', 'debug'] as const;

const dns = z
  .strictObject({
    enable: z.boolean(),
    nameserver: z.array(nameserverSchema).max(32),
    /** Resolves the names of the other DNS servers; an IP address. */
    'default-nameserver': nameserverSchema.refine(isDirectNameserver).optional(),
  })
  .refine(({ enable, nameserver }) => !enable || nameserver.length > 0, 'needs a nameserver')
  .refine(
    ({ nameserver, 'default-nameserver': resolver }) =>
      resolver || !nameserver[0] || nameserver.some(isDirectNameserver),
    'needs a nameserver with an IP address',
  );

/**
 * The settings of a proxy client: SPEC 2.1 with its field names. They are what mihomo and sing-box
 * both support, so that each value can be exported to both. Names are unique, and every group and
 * rule refers to an existing one.
 */
export const settingsSchema = z
  .strictObject({
    port: portSchema,
    'socks-port': portSchema,
    'allow-lan': z.boolean(),
    mode: z.enum(modes),
    'log-level': z.enum(logLevels),
    proxies: z.array(proxySchema).min(1).max(limits.proxies),
    'proxy-groups': z.array(groupSchema).min(1).max(limits.groups),
    rules: z.array(ruleSchema).min(1).max(limits.rules),
    dns,
  })
  .check((context) => {
    for (const { path, message } of findFaults(context.value)) {
      context.issues.push({ code: 'custom', input: undefined, path: [...path], message });
    }
  });

export type Settings = z.infer<typeof settingsSchema>;

/** Values of SPEC 2.1 for sources that do not set them. */
export const defaults = {
  port: 7890,
  'socks-port': 7891,
  'allow-lan': false,
  mode: 'rule',
  'log-level': 'info',
  dns: { enable: true, nameserver: [...publicNameservers] },
} as const satisfies Partial<Settings>;

/** What the checks across entries need. */
interface Entries {
  readonly port?: number;
  readonly 'socks-port'?: number;
  readonly proxies: readonly Pick<ProxyEntry, 'name'>[];
  readonly 'proxy-groups': readonly Group[];
  readonly rules: readonly Rule[];
}

/** A fault between entries, with the path to one of them. */
interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Finds duplicate names, references to missing names, groups in a circle, and misplaced rules.
 * @param also further names that are accepted as references
 */
export function findFaults(entries: Entries, also: ReadonlySet<string> = new Set()): Fault[] {
  const { proxies, rules } = entries;
  const groups = entries['proxy-groups'];
  const names = new Set<string>(builtInTargets);
  const known = { has: (name: string) => names.has(name) || also.has(name) };
  const faults: Fault[] = [];
  const add = (list: string, named: readonly { readonly name: string }[]) => {
    for (const [index, { name }] of named.entries()) {
      if (names.has(name))
        faults.push({ path: [list, index, 'name'], message: `duplicate name ${name}` });
      names.add(name);
    }
  };
  add('proxies', proxies);
  add('proxy-groups', groups);
  for (const [index, group] of groups.entries()) {
    const members = new Set<string>();
    for (const [position, name] of group.proxies.entries()) {
      const path = ['proxy-groups', index, 'proxies', position];
      if (!known.has(name))
        faults.push({ path, message: `no proxy or group has the name ${name}` });
      if (members.has(name)) faults.push({ path, message: `duplicate member ${name}` });
      members.add(name);
    }
  }
  for (const name of namesInCircles(groups)) {
    const index = groups.findIndex((group) => group.name === name);
    faults.push({ path: ['proxy-groups', index], message: `the group ${name} contains itself` });
  }
  return [...faults, ...ruleFaults(rules, known), ...portFaults(entries)];
}

function ruleFaults(rules: readonly Rule[], known: Pick<ReadonlySet<string>, 'has'>): Fault[] {
  const faults: Fault[] = [];
  let resolves = false;
  for (const [index, rule] of rules.entries()) {
    const isLast = index === rules.length - 1;
    if (!known.has(rule.target)) {
      faults.push({
        path: ['rules', index],
        message: `no proxy or group has the name ${rule.target}`,
      });
    }
    if ((rule.type === 'MATCH') !== isLast) {
      faults.push({
        path: ['rules', index],
        message: 'MATCH must be the last rule, and only there',
      });
    }
    if (!('resolve' in rule)) continue;
    // After a rule that resolves the name, all rules compare the address.
    if (resolves && !rule.resolve) faults.push({ path: ['rules', index], message: 'must resolve' });
    resolves ||= rule.resolve;
  }
  return faults;
}

function portFaults(entries: Entries): Fault[] {
  const isSame = entries.port !== undefined && entries.port === entries['socks-port'];
  return isSame ? [{ path: ['socks-port'], message: 'must differ from port' }] : [];
}

/** Adds a value to the list of a key. */
export function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Returns the names of groups that contain themselves, without recursion. */
export function namesInCircles(groups: readonly Group[]): string[] {
  const byName = new Map(groups.map((group) => [group.name, group.proxies]));
  const waiting = new Map(groups.map(({ name, proxies }) => [name, inner(proxies)]));
  function inner(names: readonly string[]) {
    return new Set(names.filter((name) => byName.has(name)));
  }
  const parents = new Map<string, string[]>();
  for (const [name, members] of waiting) {
    for (const member of members) addTo(parents, member, name);
  }
  const free = [...waiting].filter(([, members]) => members.size === 0).map(([name]) => name);
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    waiting.delete(name);
    for (const parent of parents.get(name) ?? []) {
      const members = waiting.get(parent);
      members?.delete(name);
      if (members?.size === 0) free.push(parent);
    }
  }
  return [...waiting.keys()];
}
