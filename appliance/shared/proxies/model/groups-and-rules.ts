import { z } from 'zod';
import { webUrl } from '#contract/site/urls.ts';
import { because, type Reason } from '../source/reasons.ts';
import { nameSchema, portSchema, usableName, wholeNumber } from './text.ts';

/** A target of rules besides proxies and groups. */
const builtInTargets = ['DIRECT', 'REJECT'] as const;

/** Returns whether a name is one of them. */
export function isBuiltIn(name: string): boolean {
  return builtInTargets.some((each) => each === name);
}

const member = z.union([z.enum(builtInTargets), nameSchema]);
const target = member.refine((name) => !name.includes(','), because('comma'));

const domain = z
  .string()
  .regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/, because('no-domain'))
  .max(253);
const keyword = z
  .string()
  .regex(/^[a-z0-9._-]+$/, because('no-domain-part'))
  .max(253);
const network = z.union([z.cidrv4(), z.cidrv6()], because('no-network'));
const program = z
  .string()
  .max(512)
  .regex(/^[^\p{Cc}\p{Cs},\ufeff\ufffe\uffff\u2028-\u202e\u2066-\u2069]+$/u, because('no-program'))
  .refine((name) => name === name.trim(), because('outer-space'));

const address = { target, resolve: z.boolean() };

/**
 * A rule of SPEC 2.1, `rules[]`: connections that match use the target. `resolve` is the opposite of
 * `no-resolve`: whether the name is resolved to compare its address.
 */
export const ruleSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['DOMAIN', 'DOMAIN-SUFFIX']), value: domain, target }),
  z.strictObject({ type: z.literal('DOMAIN-KEYWORD'), value: keyword, target }),
  z.strictObject({ type: z.literal('IP-CIDR'), value: network, ...address }),
  z.strictObject({ type: z.literal('SRC-IP-CIDR'), value: network, target }),
  /** Private networks, which need no database. */
  z.strictObject({ type: z.literal('GEOIP'), value: z.literal('LAN'), ...address }),
  z.strictObject({ type: z.enum(['DST-PORT', 'SRC-PORT']), value: portSchema, target }),
  z.strictObject({ type: z.literal('PROCESS-NAME'), value: program, target }),
  z.strictObject({ type: z.literal('NETWORK'), value: z.enum(['tcp', 'udp']), target }),
  z.strictObject({ type: z.literal('MATCH'), target }),
]);

export type Rule = z.infer<typeof ruleSchema>;

/** Validates a rule. @param text the value as a format has it; without a meaning for MATCH and GEOIP */
export function ruleOf(type: string, text: string, target: string, resolve: boolean) {
  if (type === 'MATCH') return ruleSchema.safeParse({ type, target });
  if (type === 'GEOIP') return ruleSchema.safeParse({ type, value: 'LAN', target, resolve });
  const value = type === 'PROCESS-NAME' ? text : text.toLowerCase();
  if (type === 'IP-CIDR') return ruleSchema.safeParse({ type, value, target, resolve });
  const isPort = type.endsWith('PORT') && /^\d{1,5}$/.test(text);
  return ruleSchema.safeParse({ type, value: isPort ? Number(text) : value, target });
}

const members = z.array(member).min(1, because('empty')).max(5000);

/** A group of proxies. SPEC 2.1, `proxy-groups[]`. */
export const groupSchema = z.discriminatedUnion('type', [
  z.strictObject({ name: nameSchema, type: z.literal('select'), proxies: members }),
  z.strictObject({
    name: nameSchema,
    type: z.literal('url-test'),
    proxies: members,
    url: webUrl,
    /** Seconds. */
    interval: wholeNumber(1, 86_400),
    /** Milliseconds. */
    tolerance: wholeNumber(1, 60_000),
  }),
]);

export type Group = z.infer<typeof groupSchema>;

/** Returns the names of the members of a group as they are read in its proxies. */
export function memberNames(names: readonly string[] | undefined): string[] | undefined {
  return names?.map((name) => (isBuiltIn(name) ? name : usableName(name)));
}

/** The test of proxies if a group sets none. */
export const defaultTest = {
  url: 'https://www.gstatic.com/generate_204',
  interval: 300,
  tolerance: 50,
} as const;

interface Entries {
  readonly port?: number;
  readonly 'socks-port'?: number;
  readonly proxies: readonly { readonly name: string }[];
  readonly 'proxy-groups': readonly Group[];
  readonly rules: readonly Rule[];
}

/** A fault between entries, with the path to one of them. */
interface Fault {
  readonly path: readonly (string | number)[];
  readonly reason: Reason;
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
        faults.push({ path: [list, index, 'name'], reason: `name-repeated ${name}` });
      names.add(name);
    }
  };
  add('proxies', proxies);
  add('proxy-groups', groups);
  for (const [index, group] of groups.entries()) {
    const members = new Set<string>();
    for (const [position, name] of group.proxies.entries()) {
      const path = ['proxy-groups', index, 'proxies', position];
      if (!known.has(name)) faults.push({ path, reason: `no-such-name ${name}` });
      if (members.has(name)) faults.push({ path, reason: `member-repeated ${name}` });
      members.add(name);
    }
  }
  for (const name of namesInCircles(groups)) {
    const index = groups.findIndex((group) => group.name === name);
    faults.push({ path: ['proxy-groups', index], reason: `group-in-circle ${name}` });
  }
  if (entries.port !== undefined && entries.port === entries['socks-port'])
    faults.push({ path: ['socks-port'], reason: 'must-differ port' });
  return [...faults, ...ruleFaults(rules, known)];
}

function ruleFaults(rules: readonly Rule[], known: Pick<ReadonlySet<string>, 'has'>): Fault[] {
  const faults: Fault[] = [];
  let resolves = false;
  for (const [index, rule] of rules.entries()) {
    const add = (reason: Reason) => faults.push({ path: ['rules', index], reason });
    const isLast = index === rules.length - 1;
    if (!known.has(rule.target)) add(`no-such-name ${rule.target}`);
    if ((rule.type === 'MATCH') !== isLast) add('match-last');
    if (!('resolve' in rule)) continue;
    // After a rule that resolves the name, all rules compare the address.
    if (resolves && !rule.resolve) add('must-resolve');
    resolves ||= rule.resolve;
  }
  return faults;
}

/** Returns the names of groups that contain themselves, without recursion. */
export function namesInCircles(groups: readonly Group[]): string[] {
  const names = new Set(groups.map(({ name }) => name));
  const free = removeEmpty(
    new Map(
      groups.map(({ name, proxies }) => [name, new Set(proxies.filter((each) => names.has(each)))]),
    ),
  );
  return [...names].filter((name) => !free.has(name));
}

/** Removes empty sets, and their names from the other sets, until no set is empty. @returns their names */
export function removeEmpty(sets: ReadonlyMap<string, Set<string>>): Set<string> {
  const pairs = [...sets].flatMap(([parent, members]) =>
    [...members].filter((member) => sets.has(member)).map((member) => ({ parent, member })),
  );
  const parents = Map.groupBy(pairs, ({ member }) => member);
  const empty = new Set([...sets.keys()].filter((name) => sets.get(name)?.size === 0));
  for (const name of empty) {
    for (const { parent } of parents.get(name) ?? []) {
      sets.get(parent)?.delete(name);
      if (sets.get(parent)?.size === 0) empty.add(parent);
    }
  }
  return empty;
}
