import { describe, expect, it } from 'vitest';
import { renderTable } from '../../../appliance/firewall/render-table.ts';
import { bannedSet, banningJails, markOf } from '../../../appliance/host/firewall-table.ts';
import { factsOf } from './facts-of.ts';

/** The rules of one chain, without their indentation. */
function rulesOf(chain: string, text = renderTable(factsOf())): string[] {
  const body = new RegExp(`\\tchain ${chain} \\{\\n((?:\\t\\t.*\\n)*)\\t\\}`).exec(text)?.[1] ?? '';
  return body.split('\n').flatMap((line) => line.trim() || []);
}

describe('the table', () => {
  it('comes after connection tracking and before Docker rewrites destinations', () => {
    expect(renderTable(factsOf())).toContain('type filter hook prerouting priority -150;');
  });

  it('replaces its rules and keeps its sets, in one transaction', () => {
    const text = renderTable(factsOf());
    expect(text.match(/^flush .*$/gm)).toEqual(['flush table inet landfall']);
    expect(text).not.toContain('delete');
    expect(text.indexOf('set banned-sshd-4')).toBeLessThan(text.indexOf('flush table'));
  });

  it('never touches the tables of others', () => {
    const tables = renderTable(factsOf()).match(/\btable \S+ \S+/g);
    expect(new Set(tables)).toEqual(new Set(['table inet landfall']));
    expect(renderTable(factsOf())).not.toContain('ruleset');
  });

  it('takes every interface that is not one of containers for an outside one', () => {
    expect(rulesOf('arriving').at(-1)).toBe('goto from-outside');
    expect(rulesOf('from-outside').at(-1)).toMatch(/^counter drop/);
  });

  it('judges bans before all but who is on the link, open connections included', () => {
    const text = renderTable(factsOf([], { ssh: [22, 2222] }));
    const [first, ...others] = rulesOf('from-outside', text);
    expect(first).toMatch(/^ip6 hoplimit 255 icmpv6 type \{ nd-[a-z, -]+ \} accept$/);
    const rules = others.slice(0, banningJails.length * 2);
    expect(rules.map((rule) => /^ip6? saddr (?:and \S+ )?@(\S+) .*drop$/.exec(rule)?.[1])).toEqual(
      banningJails.flatMap((jail) => [bannedSet(jail, 4), bannedSet(jail, 6)]),
    );
  });

  it('closes everything to who guesses at SSH', () => {
    const rules = rulesOf('from-outside').filter((rule) => rule.includes('@banned-sshd'));
    expect(rules).toEqual([
      'ip saddr @banned-sshd-4 drop',
      'ip6 saddr and ffff:ffff:ffff:ffff:: @banned-sshd-6 drop',
    ]);
  });

  // An editor with an old API key banned its owner from SSH.
  it.each(['gateway-login', 'gateway-scan'])(
    'closes all but SSH to who is banned by %s',
    (jail) => {
      const text = renderTable(factsOf([], { ssh: [22, 2222] }));
      const but = 'meta l4proto { tcp, udp } th dport != { 22, 2222 } drop';
      expect(
        rulesOf('from-outside', text).filter((rule) => rule.includes(`@banned-${jail}`)),
      ).toEqual([
        `ip saddr @banned-${jail}-4 ${but}`,
        `ip6 saddr and ffff:ffff:ffff:ffff:: @banned-${jail}-6 ${but}`,
      ]);
    },
  );

  it('refuses metadata to containers before it looks at what the site needs', () => {
    const rules = rulesOf('to-outside');
    const metadata = rules.findIndex((rule) => rule.includes('169.254.0.0/16'));
    expect(metadata).toBeGreaterThan(-1);
    expect(metadata).toBeLessThan(rules.indexOf('jump needed-places'));
  });
});

describe('the mark of a table', () => {
  const mark = (...openings: string[]) => markOf(renderTable(factsOf(openings)));

  it('is the same for the same facts, another one for others', () => {
    expect(mark('80/tcp')).toMatch(/^landfall [0-9a-f]{16}$/);
    expect(mark('80/tcp')).toBe(mark('80/tcp'));
    expect(mark('80/tcp')).not.toBe(mark('81/tcp'));
  });

  it("is not found in another program's table", () => {
    expect(markOf('table inet filter { counter drop comment "mine" }')).toBeUndefined();
  });
});

describe('openings', () => {
  const opened = (...openings: string[]) =>
    rulesOf('from-outside', renderTable(factsOf(openings))).slice(-1 - openings.length, -1);

  it('are one rule each, in the order that they are given', () => {
    expect(opened('80/tcp', '6000-6010/udp')).toEqual([
      'tcp dport 80 accept',
      'udp dport 6000-6010 accept',
    ]);
  });

  it('of SSH have a limit of new connections for each source', () => {
    const rules = rulesOf('from-outside', renderTable(factsOf([], { ssh: [22, 2222] })));
    for (const port of [22, 2222]) {
      const own = rules.filter((rule) => rule.startsWith(`tcp dport ${port} `));
      expect(own).toHaveLength(3);
      expect(own[0]).toMatch(/update @ssh-clients-4 .* drop$/);
      expect(own[1]).toMatch(/update @ssh-clients-6 .* drop$/);
      expect(own[2]).toBe(`tcp dport ${port} accept`);
    }
  });

  it('of the gateway have a limit of connections for each source, after exempt networks', () => {
    const text = renderTable(factsOf([], { unlimited: ['10.0.0.0/8', '2400:cb00::/32'] }));
    expect(rulesOf('from-outside', text)).toContain(
      'tcp dport { 80, 443 } ct state new jump gateway-clients',
    );
    expect(rulesOf('gateway-clients', text)).toEqual([
      'ip saddr 10.0.0.0/8 return',
      'ip6 saddr 2400:cb00::/32 return',
      'add @gateway-clients-4 { ip saddr ct count over 100 } drop',
      'add @gateway-clients-6 { ip6 saddr and ffff:ffff:ffff:ffff:: ct count over 100 } drop',
    ]);
  });

  it('for containers are the places that the site names', () => {
    const destinations = [
      { address: '10.0.0.2', port: 7890 },
      { address: 'fd00::5', port: 443 },
    ];
    expect(rulesOf('needed-places', renderTable(factsOf([], { destinations })))).toEqual([
      'ip daddr 10.0.0.2 tcp dport 7890 accept',
      'ip6 daddr fd00::5 tcp dport 443 accept',
    ]);
  });
});
