import { type Rule, ruleOf } from '../model/groups-and-rules.ts';
import { cleanName } from '../model/text.ts';
import type { Written } from '../protocols/protocol.ts';
import type { Fields } from '../source/fields.ts';
import { type Reason, reasonIn } from '../source/reasons.ts';
import type { Located } from '../source/report.ts';

/** Keys of rules in sing-box with the types of mihomo. */
const conditionKeys = {
  DOMAIN: 'domain',
  'DOMAIN-SUFFIX': 'domain_suffix',
  'DOMAIN-KEYWORD': 'domain_keyword',
  'IP-CIDR': 'ip_cidr',
  'SRC-IP-CIDR': 'source_ip_cidr',
  'PROCESS-NAME': 'process_name',
  NETWORK: 'network',
} as const;

const types: Readonly<Record<string, Rule['type']>> = {
  ...Object.fromEntries(
    Object.entries(conditionKeys).map(([type, key]) => [key, type as Rule['type']]),
  ),
  port: 'DST-PORT',
  source_port: 'SRC-PORT',
};
/** Conditions of one entry that sing-box joins with "or". */
const alternatives = ['domain', 'domain_suffix', 'domain_keyword', 'ip_cidr'];
const downloads = ['geoip', 'geosite', 'rule_set'];
const allowedActions = 'allowed route, reject, sniff, resolve, hijack-dns';

/** Reads `route.rules`. An entry with several values becomes several rules. */
export function readRules(route: Fields, targetOf: (tag: string) => string): Located<Rule>[] {
  let resolves = false;
  const read = (fields: Fields): Located<Rule>[] => {
    const action = fields.text('action') ?? 'route';
    if (action === 'resolve') resolves = true;
    if (fields.has('clash_mode')) return modeRule(fields);
    if (/^(?:sniff|resolve)$/.test(action)) fields.leaveOutRest();
    if (/^(?:sniff|resolve|hijack-dns)$/.test(action)) return [];
    const tag = fields.text('outbound') ?? '';
    if (fields.has('protocol') && /dns/.test(tag)) return [];
    const target = action === 'reject' ? 'REJECT' : cleanName(targetOf(tag));
    if (!/^(?:route|reject)$/.test(action)) {
      fields.problem('action', 'not-supported', allowedActions);
      return [];
    }
    const { position } = fields;
    return readConditions(fields, target, resolves).map((entry) => ({ entry, position }));
  };
  return route
    .sections('rules', 'rule')
    .flatMap((fields) => fields.report.entry('rule', () => read(fields)) ?? []);
}

/** A rule for a mode of the client. Export writes those for `direct` and `global`. */
function modeRule(fields: Fields): [] {
  const outbound = fields.text('outbound') ?? '';
  fields.end();
  if (!/^(?:DIRECT|GLOBAL)$/.test(outbound)) {
    fields.report.note(fields.positionOf('clash_mode'), 'clash-mode');
  }
  return [];
}

function readConditions(fields: Fields, target: string, resolve: boolean): Rule[] {
  const conditions = fields.report.attempt(() => {
    for (const key of downloads) {
      if (fields.has(key)) fields.problem(key, 'needs-database');
    }
    fields.leaveOut(['method', 'no_drop']);
    const isPrivate = fields.flag('ip_is_private') ?? false;
    const values = Object.keys(types).flatMap((key) => {
      const texts = fields.texts(key) ?? [];
      return texts.length > 0 ? [{ key, texts }] : [];
    });
    fields.end(true);
    return { isPrivate, values };
  });
  if (conditions === undefined) return [];
  const { isPrivate, values } = conditions;
  const groups = new Set(values.map(({ key }) => (alternatives.includes(key) ? 'or' : key)));
  if (isPrivate) groups.add('or');
  if (groups.size !== 1) {
    const reason: Reason = groups.size === 0 ? 'no-condition' : 'joined-conditions';
    fields.report.problem(fields.position, reason, 'own-rule');
    return [];
  }
  const found = [
    ...(isPrivate ? [ruleOf('GEOIP', '', target, resolve)] : []),
    ...values.flatMap(({ key, texts }) => {
      const isEverything = key === 'network' && texts.includes('tcp') && texts.includes('udp');
      if (isEverything) return [ruleOf('MATCH', '', target, resolve)];
      return texts.map((text) => {
        const value = key.endsWith('ip_cidr') ? withPrefix(text) : text;
        return ruleOf(types[key] ?? 'MATCH', value, target, resolve);
      });
    }),
  ];
  return found.flatMap(({ data, error }) => {
    const [issue] = error?.issues ?? [];
    if (issue) {
      const flaw = { part: issue.path.join('.'), reason: reasonIn(issue.message) };
      fields.report.problem(fields.position, { at: 'rule', ...flaw });
    }
    return data ?? [];
  });
}

/** sing-box accepts single addresses. */
function withPrefix(value: string): string {
  if (value.includes('/')) return value;
  return `${value}/${value.includes(':') ? 128 : 32}`;
}

/** Returns `rules` of sing-box. Names are resolved before the first rule that compares their address. */
export function writeRules(rules: readonly Rule[]): Written[] {
  const first = rules.findIndex((rule) => 'resolve' in rule && rule.resolve);
  return rules.flatMap((rule, index) => {
    if (rule.type === 'MATCH')
      return rule.target === 'REJECT' ? [{ ...everything, action: 'reject' }] : [];
    const { target } = rule;
    const action =
      target === 'REJECT' ? { action: 'reject' } : { action: 'route', outbound: target };
    const rendered = { ...condition(rule), ...action };
    return index === first ? [{ action: 'resolve' }, rendered] : [rendered];
  });
}

const everything = { network: ['tcp', 'udp'] };

function condition(rule: Exclude<Rule, { type: 'MATCH' }>): Written {
  switch (rule.type) {
    case 'GEOIP':
      return { ip_is_private: true };
    case 'DST-PORT':
      return { port: [rule.value] };
    case 'SRC-PORT':
      return { source_port: [rule.value] };
    default:
      return { [conditionKeys[rule.type]]: [rule.value] };
  }
}

/** Returns `final` of sing-box. */
export function finalOf(rules: readonly Rule[]): string {
  const target = rules.at(-1)?.target ?? 'DIRECT';
  return target === 'REJECT' ? 'DIRECT' : target;
}
