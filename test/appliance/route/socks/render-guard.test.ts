import { describe, expect, it } from 'vitest';
import { renderGuard } from '../../../../appliance/route/socks/render-guard.ts';

const rules = renderGuard()
  .split('\n')
  .map((line) => line.trim());

describe('the rules of the SOCKS5 server', () => {
  it('apply to the user of the service only, and not to replies', () => {
    const [rule, end] = rules.slice(rules.findIndex((line) => line.startsWith('type ')) + 1);
    // Regression: a rule for other users did not match IPv6 neighbour discovery, which has no user.
    expect(rule).toBe('meta skuid $user ct direction original goto refused');
    expect(end).toBe('}');
    expect(rules.filter((line) => line.includes('skuid'))).toEqual([rule]);
  });

  it.each(['127.0.0.0/8', '169.254.0.0/16', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'])(
    'refuse %s',
    (range) => {
      const found = rules.filter((line) => line.startsWith('ip daddr') && line.includes(range));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/ reject with icmpx type admin-prohibited$/);
    },
  );

  it('refuse every address of the server, also public ones', () => {
    expect(rules).toContain('fib daddr type != unicast reject with icmpx type admin-prohibited');
  });

  it('replace the table in one transaction', () => {
    const lines = rules.filter((line) => line.includes('table inet landfall-socks'));
    expect(lines).toEqual([
      'table inet landfall-socks',
      'delete table inet landfall-socks',
      'table inet landfall-socks {',
    ]);
  });
});
