import { describe, expect, it } from 'vitest';
import { originOf, urlOf } from '#contract/site/endpoints.ts';
import { openingsOfSite } from '#contract/site/network/openings.ts';
import { formatOpening } from '#contract/site/opening.ts';
import { checkSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';

function siteOf(site: Record<string, unknown>): Site {
  const min = {
    release: ['https://example.org/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'], email: 'me@example.com' },
  };
  return siteSchema.parse({ ...min, ...site });
}
const problemsOf = (site: Record<string, unknown>) => checkSite(siteOf(site));
const opened = (hosts: object) => openingsOfSite(siteOf({ hosts })).map(formatOpening);

describe('hosts.port', () => {
  it('moves HTTPS in the URLs and openings of a site', () => {
    const site = siteOf({ hosts: { ui: 'chat.example.com', port: 8443 } });
    expect(urlOf(site, 'ui')).toBe('https://chat.example.com:8443');
    expect(originOf(site, '2001:db8::1')).toBe('https://[2001:db8::1]:8443');
    expect(opened({ port: 8443 })).toEqual(['80/tcp', '8443/tcp']);
  });

  it('changes nothing as 443', () => {
    const hosts = { ui: 'chat.example.com' };
    expect(urlOf(siteOf({ hosts: { ...hosts, port: 443 } }), 'ui')).toBe(
      urlOf(siteOf({ hosts }), 'ui'),
    );
    expect(opened({ port: 443 })).toEqual(opened({}));
  });

  it.each([
    [22, 'SSH already uses'],
    [80, 'HTTP already uses'],
    [2376, 'Docker already uses'],
    [7890, 'the local HTTP proxy already uses'],
    [3000, 'ports.ui already uses'],
    [7891, 'socks.port already uses'],
    [6000, 'browsers do not open'],
    [993, 'browsers do not open'],
  ])('rejects %i, which %s', (port, why) => {
    expect(problemsOf({ hosts: { port }, socks: {} })).toEqual([
      {
        at: ['hosts', 'port'],
        message: `hosts.port is ${port}, which ${why}`,
        hint: expect.stringMatching(/^Use another port, such as \d+\.$/),
      },
    ]);
  });

  it('rejects a port of a site without TLS', () => {
    const [problem] = problemsOf({ hosts: { port: 8443 }, tls: { mode: 'off' } });
    expect(problem?.message).toContain('has no effect with tls.mode off');
  });

  it('frees 443 for a tunnel', () => {
    expect(problemsOf({ hosts: { port: 8443 }, ports: { ui: 4443 } })).toEqual([]);
  });
});

describe('the rules of hosts.http: false', () => {
  it('closes port 80', () => {
    expect(opened({ http: false })).toEqual(['443/tcp']);
    expect(problemsOf({ hosts: { port: 8443, http: false } })).toEqual([]);
  });

  it.each(['acme', 'acme-staging', 'acme-ip', 'off'])('reject it with tls.mode %s', (mode) => {
    const hosts = mode === 'acme-ip' ? { http: false } : { ui: 'chat.example.com', http: false };
    expect(problemsOf({ hosts, tls: { mode, accept_terms: true } })).toEqual([
      {
        at: ['hosts', 'http'],
        message: expect.stringContaining(`tls.mode ${mode} needs port 80`),
        hint: expect.stringContaining('Remove hosts.http'),
      },
    ]);
  });

  it('reject it on an engine node, which has no pages', () => {
    const found = problemsOf({ role: 'engine-node', hosts: { http: false } });
    expect(found.map(({ at }) => at)).toEqual([['hosts']]);
  });
});
