import { compact } from '../model/draft.ts';
import { type Rule, ruleSchema } from '../model/rule.ts';
import { cleanName } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import type { Located } from '../source/parts.ts';
import { conditionKeys } from './write.ts';

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
const hint = 'Put each condition into its own rule.';

/** Reads `route.rules`. An entry with several values becomes several rules. */
export function singBoxRules(route: Fields, targetOf: (tag: string) => string): Located<Rule>[] {
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
      fields.problem(
        'action',
        'not supported',
        'Allowed: route, reject, sniff, resolve, hijack-dns.',
      );
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
    fields.report.note(fields.positionOf('clash_mode'), 'rule of clash_mode: not imported');
  }
  return [];
}

function readConditions(fields: Fields, target: string, resolve: boolean): Rule[] {
  const conditions = fields.report.attempt(() => {
    for (const key of downloads) {
      if (fields.has(key)) fields.problem(key, 'needs a database that the client downloads');
    }
    fields.leaveOut(['method', 'no_drop']);
    const isPrivate = fields.flag('ip_is_private') ?? false;
    const values = Object.keys(types).flatMap((key) => {
      const given = fields.texts(key) ?? [];
      return given.length > 0 ? [{ key, given }] : [];
    });
    fields.endExact();
    return { isPrivate, values };
  });
  if (conditions === undefined) return [];
  const { isPrivate, values } = conditions;
  const groups = new Set(values.map(({ key }) => (alternatives.includes(key) ? 'or' : key)));
  if (isPrivate) groups.add('or');
  if (groups.size !== 1) {
    fields.report.problem(
      fields.position,
      groups.size === 0 ? 'the rule has no condition' : 'the rule joins conditions',
      hint,
    );
    return [];
  }
  const drafts = [
    ...(isPrivate ? [{ type: 'GEOIP', value: 'LAN', target, resolve }] : []),
    ...values.flatMap(({ key, given }) => {
      const isEverything = key === 'network' && given.includes('tcp') && given.includes('udp');
      if (isEverything) return [{ type: 'MATCH', target }];
      return given.map((text) => draft(types[key] ?? 'MATCH', text, target, resolve));
    }),
  ];
  return drafts.flatMap((entry) => {
    const { success, data, error } = ruleSchema.safeParse(compact(entry));
    if (success) return [data];
    const [issue] = error.issues;
    fields.report.problem(fields.position, `rule: ${issue?.path.join('.')} ${issue?.message}`);
    return [];
  });
}

function draft(type: Rule['type'], text: string, target: string, resolve: boolean) {
  const value = type === 'PROCESS-NAME' ? text : text.toLowerCase();
  if (type.endsWith('PORT'))
    return { type, value: /^\d{1,5}$/.test(text) ? Number(text) : text, target };
  if (type === 'IP-CIDR') return { type, value: withPrefix(value), target, resolve };
  // A leading dot means subdomains only; mihomo has no such type.
  return { type, value: type === 'SRC-IP-CIDR' ? withPrefix(value) : value, target };
}

/** sing-box accepts single addresses. */
function withPrefix(value: string): string {
  if (value.includes('/')) return value;
  return `${value}/${value.includes(':') ? 128 : 32}`;
}
