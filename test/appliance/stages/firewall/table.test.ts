import { describe, expect, it } from 'vitest';
import { bannedSet, banningJails, markOf } from '../../../../appliance/stages/firewall/public.ts';
import { renderTable } from '../../../../appliance/stages/firewall/table.ts';
import { factsOf } from './facts-of.ts';

/** Returns the rules of one chain without indentation. */
function rulesOf(chain: string, text = renderTable(factsOf())): string[] {
  const body = new RegExp(`\\tchain ${chain} \\{\\n((?:\\t\\t.*\\n)*)\\t\\}`).exec(text)?.[1] ?? '';
  return body.split('\n').flatMap((line) => line.trim() || []);
}

describe('the nftables table', () => {
  it("filters after connection tracking and before Docker's destination NAT", () => {
    expect(renderTable(factsOf())).toContain('type filter hook prerouting priority -150;');
  });

  it('replaces its rules and keeps its sets in one transaction', () => {
    const text = renderTable(factsOf());
    expect(text.match(/^flush .*$/gm)).toEqual(['flush table inet landfall']);
    expect(text).not.toContain('delete');
    expect(text.indexOf('set banned-sshd-4')).toBeLessThan(text.indexOf('flush table'));
  });

  it('does not change the tables of other programs', () => {
    const tables = renderTable(factsOf()).match(/\btable \S+ \S+/g);
    expect(new Set(tables)).toEqual(new Set(['table inet landfall']));
    expect(renderTable(factsOf())).not.toContain('ruleset');
  });

  it('limits the segments of connections with containers to what the network takes', () => {
    expect(rulesOf('leaving')[0]).toContain('maxseg size set rt mtu');
  });

  it('treats every interface that is not of a container network as external', () => {
    expect(rulesOf('arriving').at(-1)).toBe('goto from-outside');
    expect(rulesOf('from-outside').at(-1)).toMatch(/^counter drop/);
  });

  it('applies bans before all rules except neighbor discovery, to open connections too', () => {
    const text = renderTable(factsOf([], { ssh: [22, 2222] }));
    const [first, ...others] = rulesOf('from-outside', text);
    expect(first).toMatch(/^ip6 hoplimit 255 icmpv6 type \{ nd-[a-z, -]+ \} accept$/);
    const rules = others.slice(0, banningJails.length * 2);
    expect(rules.map((rule) => /^ip6? saddr (?:and \S+ )?@(\S+) .*drop$/.exec(rule)?.[1])).toEqual(
      banningJails.flatMap((jail) => [bannedSet(jail, 4), bannedSet(jail, 6)]),
    );
  });

  it('drops all packets of addresses banned for SSH', () => {
    const rules = rulesOf('from-outside').filter((rule) => rule.includes('@banned-sshd'));
    expect(rules).toEqual([
      'ip saddr @banned-sshd-4 drop',
      'ip6 saddr and ffff:ffff:ffff:ffff:: @banned-sshd-6 drop',
    ]);
  });

  it('opens the port of the SOCKS5 server at its address, for its clients only', () => {
    const [listen, allow] = ['10.8.0.1', ['10.8.0.0/24', '10.8.0.0/25', 'fd00::/64']];
    const socks = { port: 7891, listen, username: 'landfall', allow };
    const rules = rulesOf('from-outside', renderTable(factsOf(['7891/tcp'], { socks })));
    expect(rules.filter((rule) => rule.includes('7891'))).toEqual([
      'ip saddr 10.8.0.0/24 ip daddr 10.8.0.1 tcp dport 7891 accept',
      'ip saddr 10.8.0.0/25 ip daddr 10.8.0.1 tcp dport 7891 accept',
      'tcp dport 7891 drop',
      'tcp dport 7891 accept',
    ]);
    const onLoopback = { ...socks, listen: '127.0.0.1' };
    expect(renderTable(factsOf([], { socks: onLoopback }))).not.toContain('7891');
  });

  // Regression: an editor with an old API key locked its user out of SSH.
  it.each(['gateway-login', 'gateway-scan'])(
    'drops packets of addresses banned by %s, except to SSH',
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

  it('blocks metadata addresses for containers before it allows private endpoints', () => {
    const rules = rulesOf('to-outside');
    const metadata = rules.findIndex((rule) => rule.includes('169.254.0.0/16'));
    expect(metadata).toBeGreaterThan(-1);
    expect(metadata).toBeLessThan(rules.indexOf('jump private-endpoints'));
  });
});

describe('the mark of a table', () => {
  const mark = (...openings: string[]) => markOf(renderTable(factsOf(openings)));

  it('depends on the facts only', () => {
    expect(mark('80/tcp')).toMatch(/^landfall [0-9a-f]{16}$/);
    expect(mark('80/tcp')).toBe(mark('80/tcp'));
    expect(mark('80/tcp')).not.toBe(mark('81/tcp'));
  });

  it('returns no mark for the table of another program', () => {
    expect(markOf('table inet filter { counter drop comment "mine" }')).toBeUndefined();
  });
});

describe('openings', () => {
  const opened = (...openings: string[]) =>
    rulesOf('from-outside', renderTable(factsOf(openings))).slice(-1 - openings.length, -1);

  it('writes one rule per opening, in the given order', () => {
    expect(opened('80/tcp', '6000-6010/udp')).toEqual([
      'tcp dport 80 accept',
      'udp dport 6000-6010 accept',
    ]);
  });

  it('writes the source of an opening, by the version of IP', () => {
    const opening = { first: 11443, last: 11443, protocol: 'tcp' } as const;
    const openings = ['10.0.0.0/8', '2001:db8::20'].map((from) => ({ ...opening, from }));
    const rules = rulesOf('from-outside', renderTable(factsOf([], { openings })));
    expect(rules.filter((rule) => rule.includes('11443'))).toEqual([
      'ip saddr 10.0.0.0/8 tcp dport 11443 accept',
      'ip6 saddr 2001:db8::20 tcp dport 11443 accept',
    ]);
  });

  it('limits new SSH connections per client', () => {
    const rules = rulesOf('from-outside', renderTable(factsOf([], { ssh: [22, 2222] })));
    for (const port of [22, 2222]) {
      const own = rules.filter((rule) => rule.startsWith(`tcp dport ${port} `));
      expect(own).toHaveLength(3);
      expect(own[0]).toMatch(/update @ssh-clients-4 .* drop$/);
      expect(own[1]).toMatch(/update @ssh-clients-6 .* drop$/);
      expect(own[2]).toBe(`tcp dport ${port} accept`);
    }
  });

  it('limits gateway connections per client, except for exempt networks', () => {
    const text = renderTable(factsOf([], { unlimited: ['10.0.0.0/8', '2400:cb00::/32'] }));
    expect(rulesOf('from-outside', text)).toContain(
      'tcp dport { 80, 443 } ct state new jump gateway-clients',
    );
    expect(rulesOf('gateway-clients', text)).toEqual([
      'ip saddr 10.0.0.0/8 return',
      'ip6 saddr 2400:cb00::/32 return',
      'add @gateway-clients-4 { ip saddr ct count over 300 } drop',
      'add @gateway-clients-6 { ip6 saddr and ffff:ffff:ffff:ffff:: ct count over 300 } drop',
    ]);
  });

  it('counts and accepts connections at the public ports of the site', () => {
    const text = renderTable(factsOf(['8443/tcp'], { web: [8443] }));
    expect(rulesOf('from-outside', text)).toContain(
      'tcp dport { 8443 } ct state new jump gateway-clients',
    );
    expect(rulesOf('from-containers', text)).toContain(
      'fib daddr type local tcp dport { 8443 } accept',
    );
    expect(text).not.toContain('443,');
  });

  it('for containers are the private endpoints of the site', () => {
    const destinations = [
      { address: '10.0.0.2', port: 7890 },
      { address: 'fd00::5', port: 443 },
      { address: '10.0.0.9', port: 8000, link: 'br-relay' },
    ];
    expect(rulesOf('private-endpoints', renderTable(factsOf([], { destinations })))).toEqual([
      'ip daddr 10.0.0.2 tcp dport 7890 accept',
      'ip6 daddr fd00::5 tcp dport 443 accept',
      'iifname "br-relay" ip daddr 10.0.0.9 tcp dport 8000 accept',
    ]);
  });
});
