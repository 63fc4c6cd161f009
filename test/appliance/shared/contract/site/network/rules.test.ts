import { describe, expect, it } from 'vitest';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';

function problemsOf(site: Record<string, unknown>) {
  const min = {
    release: ['https://example.org/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
  };
  return checkSite(siteSchema.parse({ ...min, ...site }));
}
const at = (site: Record<string, unknown>) => problemsOf(site).map((problem) => problem.at);

describe('DNS servers of a site', () => {
  it('with the name of a certificate need dns.tls', () => {
    const nameserver = ['9.9.9.9#dns.quad9.net'];
    expect(problemsOf({ dns: { nameserver, tls: true } })).toEqual([]);
    expect(problemsOf({ dns: { nameserver } })).toEqual([
      {
        at: ['dns', 'nameserver'],
        message: '9.9.9.9#dns.quad9.net has a name for DNS over TLS, but dns.tls is false',
        hint: 'Set dns.tls to true, or write 9.9.9.9.',
      },
    ]);
  });
});

describe('a SOCKS5 server of a site', () => {
  it('needs its clients at a private address, of the same IP version', () => {
    const listen = '10.8.0.1';
    expect(at({ socks: {} })).toEqual([]);
    expect(at({ socks: { listen, allow: ['10.8.0.0/24'] } })).toEqual([]);
    expect(at({ socks: { listen } })).toEqual([['socks', 'allow']]);
    expect(at({ socks: { listen, allow: ['fd00::/64'] } })).toEqual([['socks', 'allow']]);
  });

  it.each([
    [7890, {}],
    [7892, {}],
    [3000, {}],
    [9000, { ports: { ui: 9000 } }],
  ])('may not use the port %i of another service', (port, site) => {
    const [problem] = problemsOf({ socks: { port }, ...site });
    expect(problem?.at).toEqual(['socks', 'port']);
    expect(problem?.hint).toMatch(/^Use another port; \d+ is free\.$/);
  });

  it('may not have its port open to all', () => {
    expect(at({ socks: {}, firewall: { allow: ['7891/tcp'] } })).toEqual([['firewall', 'allow']]);
  });
});
