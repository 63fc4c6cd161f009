import { describe, expect, it } from 'vitest';
import { commonProviders } from '#contract/site/certificates/common-providers.ts';
import { dnsVariables, isDnsProvider } from '#contract/site/certificates/dns-providers.ts';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';

const hosts = { ui: 'chat.example.com' };
const min = {
  release: ['https://example.org/r/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'], email: 'me@example.com' },
  hosts,
};
const acme = { mode: 'acme', accept_terms: true };
const byDns = { ...acme, challenge: 'dns', dns: { provider: 'alidns' } };
const problemsOf = (tls: object, more: object = {}) =>
  checkSite(siteSchema.parse({ ...min, ...more, tls })).map(({ at, message }) => [
    at.join('.'),
    message,
  ]);

describe('a validation by DNS records', () => {
  it('needs no port 80', () => {
    expect(problemsOf(byDns, { hosts: { ...hosts, port: 8443, http: false } })).toEqual([]);
  });

  it.each(['alidns', 'tencentcloud', 'huaweicloud', 'cloudflare', 'desec', 'rfc2136', 'dnsupdate'])(
    'knows the provider %s and its variables',
    (provider) => {
      expect(problemsOf({ ...byDns, dns: { provider } })).toEqual([]);
      expect(dnsVariables(provider).length).toBeGreaterThan(0);
      for (const name of dnsVariables(provider)) expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
    },
  );

  it.each(Object.entries(commonProviders))(
    'knows the credentials of the common provider %s',
    (provider, { credentials }) => {
      expect(dnsVariables(provider)).toEqual(expect.arrayContaining([...credentials]));
    },
  );

  it('knows the variables of Alibaba Cloud', () => {
    expect(dnsVariables('alidns')).toEqual(
      expect.arrayContaining(['ALICLOUD_ACCESS_KEY', 'ALICLOUD_SECRET_KEY']),
    );
    expect(dnsVariables('rfc2136')).toEqual(dnsVariables('dnsupdate'));
  });

  it.each(['exec', 'manual', 'AliDNS', 'constructor', ''])(
    'rejects the provider %j',
    (provider) => {
      expect(isDnsProvider(provider)).toBe(false);
      expect(() => problemsOf({ ...byDns, dns: { provider } })).toThrow('DNS provider of lego');
    },
  );

  it('needs a provider, and a provider needs it', () => {
    expect(problemsOf({ ...acme, challenge: 'dns' })).toEqual([
      ['tls.dns', 'tls.challenge dns needs tls.dns.provider'],
    ]);
    expect(problemsOf({ ...acme, dns: { provider: 'alidns' } })).toEqual([
      ['tls.dns', 'tls.dns has no effect without tls.challenge: dns'],
    ]);
  });

  it.each(['acme-ip', 'internal', 'custom', 'off'])('does not work with tls.mode %s', (mode) => {
    const more = mode === 'acme-ip' ? { hosts: {} } : {};
    expect(problemsOf({ ...byDns, mode }, more)).toEqual([
      ['tls.challenge', `tls.challenge dns does not work with tls.mode ${mode}`],
    ]);
  });
});

describe('the names of a certificate', () => {
  it('accepts a wildcard that covers the hosts', () => {
    expect(problemsOf({ ...byDns, names: ['*.example.com'] })).toEqual([]);
    expect(problemsOf({ ...byDns, names: ['chat.example.com', 'www.example.com'] })).toEqual([]);
  });

  it('rejects a wildcard that the authority would validate on port 80', () => {
    expect(problemsOf({ ...acme, names: ['*.example.com'] })).toEqual([
      ['tls.names', '*.example.com needs tls.challenge: dns'],
    ]);
  });

  it.each([['*.example.net'], ['example.com'], ['*.chat.example.com'], ['*.example.org']])(
    'rejects %s for a host that it does not cover',
    (name) => {
      const [first] = problemsOf({ ...byDns, names: [name] });
      expect(first).toEqual(['tls.names', 'tls.names does not cover chat.example.com of hosts']);
    },
  );

  it('rejects names without an authority', () => {
    expect(problemsOf({ mode: 'internal', names: ['*.example.com'] })).toEqual([
      ['tls.names', 'tls.names has no effect with tls.mode internal'],
    ]);
  });

  it.each(['*', '*.*.example.com', 'a.*.example.com', '*example.com'])(
    'rejects the name %s',
    (name) => {
      expect(() => problemsOf({ ...byDns, names: [name] })).toThrow('full host name');
    },
  );
});
