import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { briefSite } from '../../../builder/user-data/brief-site.ts';

const least = {
  release: ['https://example.com/landfall/'],
  admin: { ssh_keys: [`ssh-ed25519 ${'A'.repeat(68)}`] },
};

describe('a site in user-data', () => {
  it('contains only fields that differ from the defaults', () => {
    const site = siteSchema.parse({ ...least, hosts: { ui: 'chat.example.com' } });
    expect(Object.keys(briefSite(site))).toEqual(['release', 'admin', 'hosts']);
  });

  it('is the same site after the server has parsed it', () => {
    const site = siteSchema.parse({
      ...least,
      tls: { mode: 'acme', accept_terms: true },
      components: { chat: true },
      route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890' },
    });
    expect(siteSchema.parse(JSON.parse(JSON.stringify(briefSite(site))))).toEqual(site);
  });
});
