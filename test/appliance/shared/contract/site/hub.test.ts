import { describe, expect, it } from 'vitest';
import { whyEnabled } from '#contract/site/enabled.ts';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import { secretNames } from '../../../../../appliance/stages/secrets/secret-names.ts';

const hub = { base_url: 'https://router.huggingface.co/hf-inference' };

function siteWith(settings: object) {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8';
  const admin = { ssh_keys: [key] };
  return siteSchema.parse({ release: ['https://e.org/'], admin, ...settings });
}

describe('the model hub of a site', () => {
  it('enables the relay, and has a token that the administrator sets', () => {
    const site = siteWith({ hub });
    expect(checkSite(site)).toEqual([]);
    expect(whyEnabled(site, 'relay')).toBe('hub is set');
    expect(secretNames(site)).toContainEqual({ name: 'HUB_API_KEY', required: false });
    expect(secretNames(siteWith({})).map(({ name }) => name)).not.toContain('HUB_API_KEY');
  });

  it('rejects a model hub beside a provider of the same name, whose key has the same name', () => {
    const site = siteWith({ hub, providers: { hub: { base_url: 'https://llm.example/v1' } } });
    expect(checkSite(site)).toMatchObject([{ at: ['hub'], hint: 'Rename the provider.' }]);
  });

  it('rejects a model hub with a login in its URL', () => {
    expect(() => siteWith({ hub: { base_url: 'https://me:secret@hub.example/' } })).toThrow(
      /must have no user/,
    );
  });
});
