import { describe, expect, it } from 'vitest';
import { briefSite, fieldsUnlikeDefaults } from '#contract/site/brief-site.ts';
import { siteSchema } from '#contract/site/site.ts';

const min = {
  release: ['https://example.com/landfall/'],
  admin: { ssh_keys: [`ssh-ed25519 ${'A'.repeat(68)}`] },
};

describe('fieldsUnlikeDefaults', () => {
  it('returns every field with another value than its default, and the values of new sections', () => {
    const site = siteSchema.parse({
      ...min,
      hosts: { ui: 'chat.example.com' },
      tls: { mode: 'internal' },
      socks: { port: 1080 },
      engines: {},
    });
    const fields = fieldsUnlikeDefaults(site).map(({ field, after }) => [field, after]);
    expect(fields).toEqual([
      ['release', min.release],
      ['admin.ssh_keys', min.admin.ssh_keys],
      ['hosts.ui', 'chat.example.com'],
      ['socks.port', 1080],
      ['socks.listen', '127.0.0.1'],
      ['socks.username', 'landfall'],
      ['socks.allow', []],
      ...(Object.keys(site.engines ?? {}).length === 0
        ? [['engines', {}]]
        : Object.entries(site.engines ?? {}).map(([name, value]) => [`engines.${name}`, value])),
    ]);
  });

  it('returns no user with the default name', () => {
    const fieldsOf = (user?: string) =>
      fieldsUnlikeDefaults(siteSchema.parse({ ...min, admin: { ...min.admin, user } })).map(
        ({ field }) => field,
      );
    expect(fieldsOf()).not.toContain('admin.user');
    expect(fieldsOf('web')).toContain('admin.user');
  });
});

describe('a site in user-data', () => {
  it('contains only fields that differ from the defaults', () => {
    const site = siteSchema.parse({ ...min, hosts: { ui: 'chat.example.com' } });
    expect(Object.keys(briefSite(site))).toEqual(['release', 'admin', 'hosts']);
  });

  it('writes a site to user-data that the server parses as the same site', () => {
    const site = siteSchema.parse({
      ...min,
      tls: { mode: 'acme', accept_terms: true },
      components: { chat: true },
      route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890' },
    });
    expect(siteSchema.parse(JSON.parse(JSON.stringify(briefSite(site))))).toEqual(site);
  });
});
