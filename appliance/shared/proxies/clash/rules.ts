import { type Rule, ruleSchema } from '../model/groups-and-rules.ts';
import { type Located, limits } from '../model/settings.ts';
import { cleanName } from '../model/text.ts';
import type { Written } from '../protocols/protocol.ts';
import type { Fields } from '../source/fields.ts';
import { quoted } from '../source/report.ts';

const plainTypes = [
  ...['DOMAIN', 'DOMAIN-SUFFIX', 'DOMAIN-KEYWORD', 'SRC-IP-CIDR', 'DST-PORT', 'SRC-PORT'],
  ...['PROCESS-NAME', 'NETWORK'],
];
const allowed = `Allowed: ${[...plainTypes, 'IP-CIDR', 'IP-CIDR6', 'GEOIP,LAN', 'MATCH'].join(', ')}.`;

/** Why known types cannot be imported. */
const reasons: Readonly<Record<string, string>> = {
  GEOIP: 'needs a database that the client downloads',
  GEOSITE: 'needs a database that the client downloads',
  'RULE-SET': 'needs a list that the client downloads',
};

/** Reads `rules` of Clash or mihomo. */
export function clashRules(fields: Fields): Located<Rule>[] {
  const { report } = fields;
  const found: Located<Rule>[] = [];
  const texts = fields.texts('rules') ?? [];
  for (const [index, text] of texts.entries()) {
    const position = fields.positionOfItem('rules', index);
    if (found.length === limits.rules && !report.strict) {
      report.leaveOut('rule', texts.length - index, position, `more than ${limits.rules} rules`);
      break;
    }
    const rule = report.entry('rule', () =>
      parseRule(text, (message, hint) => report.problem(position, message, hint)),
    );
    if (rule) found.push({ entry: rule, position });
  }
  return found;
}

/** Parses a rule such as `DOMAIN-SUFFIX,example.com,PROXY`. */
function parseRule(
  text: string,
  problem: (message: string, hint?: string) => void,
): Rule | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const type = (parts[0] ?? '').toUpperCase();
  const isMatch = type === 'MATCH' || type === 'FINAL';
  const [value = '', to = '', ...options] = isMatch ? ['', ...parts.slice(1)] : parts.slice(1);
  const target = cleanName(to);
  const draft = draftOf(type, value, target, options.includes('no-resolve'));
  if (draft === undefined) {
    const reason = reasons[type];
    problem(reason ? `rule ${type}: ${reason}` : `unknown rule type${quoted(type)}`, allowed);
    return undefined;
  }
  const unknown = options.find((option) => option !== 'no-resolve');
  if (unknown !== undefined) {
    problem(`rule ${type}: unknown option${quoted(unknown)}`, 'Allowed: no-resolve.');
    return undefined;
  }
  const { success, data, error } = ruleSchema.safeParse(draft);
  if (success) return data;
  const [issue] = error.issues;
  problem(`rule ${type}: ${issue?.path.join('.')} ${issue?.message}`, 'Write TYPE,VALUE,TARGET.');
  return undefined;
}

function draftOf(
  type: string,
  value: string,
  target: string,
  noResolve: boolean,
): Written | undefined {
  const resolve = !noResolve;
  const lower = value.toLowerCase();
  if (type === 'MATCH' || type === 'FINAL') return { type: 'MATCH', target };
  if (type === 'IP-CIDR' || type === 'IP-CIDR6')
    return { type: 'IP-CIDR', value: lower, target, resolve };
  if (type === 'GEOIP') {
    return /^(?:lan|private)$/.test(lower) ? { type, value: 'LAN', target, resolve } : undefined;
  }
  if (!plainTypes.includes(type)) return undefined;
  if (type.endsWith('PORT')) {
    return { type, value: /^\d{1,5}$/.test(value) ? Number(value) : value, target };
  }
  return { type, value: type === 'PROCESS-NAME' ? value : lower, target };
}

/** Formats a rule for mihomo. */
export function formatRule(rule: Rule): string {
  const { type, target } = rule;
  if (type === 'MATCH') return `MATCH,${target}`;
  const isIpv6 = type === 'IP-CIDR' && rule.value.includes(':');
  const option = 'resolve' in rule && !rule.resolve ? ',no-resolve' : '';
  return `${isIpv6 ? 'IP-CIDR6' : type},${rule.value},${target}${option}`;
}
