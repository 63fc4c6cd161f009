import { describe, expect, it } from 'vitest';
import { renderRedirectRules } from '../../../../../appliance/stages/route/redirect/render-rules.ts';

const text = renderRedirectRules({
  users: [1000, 1001],
  redsocks: 110,
  proxy: '198.51.100.2',
  exempt: ['203.0.113.0/24', 'git.corp.example', '2001:db8::/32'],
});
const rules = text.split('\n').filter((line) => line.includes('skuid'));

describe('the rules of redirected users', () => {
  it('cannot loop: every rule excludes redsocks before it selects the users', () => {
    expect(rules.length).toBeGreaterThan(1);
    for (const rule of rules) {
      expect(rule).toMatch(/^\t\tmeta skuid != 110 meta skuid \{ 1000, 1001 \} /);
    }
    const verdicts = text.match(/^.*\b(?:redirect to|reject|accept|drop|return)\b.*$/gm) ?? [];
    expect(verdicts.filter((line) => !/policy accept;$/.test(line))).toEqual(rules);
  });

  it('redirect TCP only, and not to private networks, this server, the proxy or exempt networks', () => {
    const [redirect, ...others] = rules.filter((rule) => rule.includes('redirect to'));
    expect(others).toEqual([]);
    expect(redirect).toContain(
      'ip daddr != @direct4 fib daddr type != local meta l4proto tcp redirect to :7892',
    );
    const direct4 = /set direct4 [^}]*elements = \{ ([^}]*) \}/.exec(text)?.[1]?.split(', ');
    expect(direct4).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '127.0.0.0/8', '198.51.100.2', '203.0.113.0/24']),
    );
    expect(text).not.toContain('git.corp.example');
  });

  it('reject IPv6 and UDP except DNS, but no replies to connections from outside', () => {
    const rejected = rules.filter((rule) => rule.includes(' reject'));
    expect(rejected).toHaveLength(4);
    for (const rule of rejected) expect(rule).toContain(' ct direction original ');
    expect(text).toContain('udp dport != 53 reject\n');
    expect(text).toMatch(/elements = \{ ::1\/128, .*2001:db8::\/32 \}/);
  });

  it('replace the table in one transaction', () => {
    const table = 'table inet landfall-redirect';
    expect(text).toContain(`\n${table}\ndelete ${table}\n${table} {\n`);
  });
});
