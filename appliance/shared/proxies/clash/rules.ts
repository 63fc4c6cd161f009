import { type Rule, ruleOf } from '../model/groups-and-rules.ts';
import { limits } from '../model/settings.ts';
import { cleanName } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { type About, type Reason, reasonIn } from '../source/reasons.ts';
import { type Located, quoted } from '../source/report.ts';

const plainTypes = [
  ...['DOMAIN', 'DOMAIN-SUFFIX', 'DOMAIN-KEYWORD', 'SRC-IP-CIDR', 'DST-PORT', 'SRC-PORT'],
  ...['PROCESS-NAME', 'NETWORK'],
];
const allowed: Reason = `allowed ${[...plainTypes, 'IP-CIDR', 'IP-CIDR6', 'GEOIP,LAN', 'MATCH'].join(', ')}`;

const standardTypes: Readonly<Record<string, Rule['type']>> = {
  ...{ MATCH: 'MATCH', FINAL: 'MATCH', GEOIP: 'GEOIP' },
  ...{ 'IP-CIDR': 'IP-CIDR', 'IP-CIDR6': 'IP-CIDR' },
};

/** Why known types cannot be imported. */
const reasons: Readonly<Record<string, Reason>> = {
  GEOIP: 'needs-database',
  GEOSITE: 'needs-database',
  'RULE-SET': 'needs-list',
};

/** Reads `rules` of Clash or mihomo. */
export function clashRules(fields: Fields): Located<Rule>[] {
  const { report } = fields;
  const texts = (fields.texts('rules') ?? []).map((text, index) => {
    return { text, position: fields.positionOf('rules', index) };
  });
  const list = { kind: 'rule', max: limits.rules, name: 'rules' } as const;
  return report.list(texts, list, ({ text, position }) =>
    report.entry('rule', () =>
      parseRule(text, (about, hint) => void report.problem(position, about, hint)),
    ),
  );
}

/** Parses a rule such as `DOMAIN-SUFFIX,example.com,PROXY`. */
function parseRule(
  text: string,
  problem: (about: About, hint?: Reason) => undefined,
): Rule | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const type = (parts[0] ?? '').toUpperCase();
  const known = standardTypes[type] ?? (plainTypes.includes(type) ? type : undefined);
  const [value = '', to = '', ...options] =
    known === 'MATCH' ? ['', ...parts.slice(1)] : parts.slice(1);
  const at = `rule ${type}`;
  if (known === undefined || (known === 'GEOIP' && !/^(?:lan|private)$/i.test(value))) {
    const reason = reasons[type];
    return problem(reason ? { at, reason } : `unknown-rule ${quoted(type)}`, allowed);
  }
  const unknown = options.find((option) => option !== 'no-resolve');
  if (unknown !== undefined)
    return problem({ at, reason: `unknown-option ${quoted(unknown)}` }, 'allowed no-resolve');
  const { data, error } = ruleOf(known, value, cleanName(to), !options.includes('no-resolve'));
  const [issue] = error?.issues ?? [];
  if (issue) {
    const reason = reasonIn(issue.message);
    problem({ at, part: issue.path.join('.'), reason }, 'rule-format');
  }
  return data;
}

/** Formats a rule for mihomo. */
export function formatRule(rule: Rule): string {
  const { type, target } = rule;
  if (type === 'MATCH') return `MATCH,${target}`;
  const isIpv6 = type === 'IP-CIDR' && rule.value.includes(':');
  const option = 'resolve' in rule && !rule.resolve ? ',no-resolve' : '';
  return `${isIpv6 ? 'IP-CIDR6' : type},${rule.value},${target}${option}`;
}
