import { describe, expect, it } from 'vitest';
import { briefSite } from '#contract/site/brief-site.ts';
import { siteSchema } from '#contract/site/site.ts';

const min = {
  release: ['https://example.com/landfall/'],
  admin: { ssh_keys: [`ssh-ed25519 ${'A'.repeat(68)}`] },
};

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
