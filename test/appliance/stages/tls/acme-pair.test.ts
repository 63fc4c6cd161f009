import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { legoArguments } from '../../../../appliance/stages/tls/acme-pair.ts';
import { authorityOf } from '../../../../appliance/stages/tls/authority.ts';

const siteWith = (tls: Record<string, unknown>) =>
  siteSchema.parse({
    release: ['https://example.org/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
    tls,
  });
const server = { url: 'https://acme.example.org/dir' };

describe('the authority of a site', () => {
  it.each([
    ['acme', 'https://acme-v02.api.letsencrypt.org/directory'],
    ['acme-staging', 'https://acme-staging-v02.api.letsencrypt.org/directory'],
    ['acme-ip', 'https://acme-v02.api.letsencrypt.org/directory'],
  ])('uses the authority letsencrypt.org for %s', (mode, url) => {
    expect(authorityOf(siteWith({ mode }))?.url).toBe(url);
  });

  it.each(['internal', 'custom', 'off'])('uses no authority for %s', (mode) => {
    expect(authorityOf(siteWith({ mode }))).toBeUndefined();
  });

  it('uses the authority of the site', () => {
    expect(authorityOf(siteWith({ mode: 'acme', server }))?.url).toBe(server.url);
  });

  // Regression: after a change of mode, a staging certificate was served.
  it('uses a unique certificate name for every authority of a site', () => {
    const other = { url: 'https://acme.example.org/other' };
    const sites = [
      { mode: 'acme' },
      { mode: 'acme-staging' },
      { mode: 'acme', server },
      { mode: 'acme', server: other },
    ];
    const lineages = sites.map((tls) => authorityOf(siteWith(tls))?.lineage);
    expect(new Set(lineages).size).toBe(sites.length);
    for (const lineage of lineages) expect(lineage).toMatch(/^[a-z0-9-]+$/);
  });
});

describe('the arguments of lego', () => {
  const authority = { url: server.url, lineage: 'acme', ca: undefined };
  const told = (...names: string[]) => legoArguments(authority, 'ops@example.org', names).join(' ');

  it('accepts the terms, renews at once, and drops names that the site has no more', () => {
    for (const option of ['--accept-tos', '--renew-force', '--no-random-sleep'])
      expect(told('a.example.com')).toContain(option);
    expect(told('a.example.com')).toContain('--force-cert-domains');
  });

  it('replaces no certificate, because another account may have requested it', () => {
    expect(told('a.example.com')).toContain('--ari-disable');
  });

  it('passes the email address in one argument, so that it cannot be an option', () => {
    expect(told('a.example.com')).toContain('--email=ops@example.org');
  });

  it('requests one certificate for all names over HTTP', () => {
    const line = told('a.example.com', 'b.example.com');
    expect(line).toContain('--domains a.example.com --domains b.example.com');
    expect(line).toContain('--http --http.webroot /var/lib/landfall/challenges');
    expect(line).not.toContain('--profile');
    expect(line).not.toContain('--dns');
  });

  it('requests a wildcard by records of the DNS provider', () => {
    const words = legoArguments(authority, 'ops@example.org', ['*.example.com'], 'alidns');
    expect(words.join(' ')).toContain('--dns alidns');
    expect(words).toContain('*.example.com');
    expect(words).not.toContain('--http');
  });

  it('requests the short-lived profile for addresses', () => {
    const line = told('203.0.113.7', '2001:db8::7');
    expect(line).toContain('--domains 203.0.113.7 --domains 2001:db8::7');
    expect(line).toContain('--profile shortlived');
  });
});
