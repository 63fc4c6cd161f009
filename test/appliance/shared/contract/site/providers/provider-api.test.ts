import { describe, expect, it } from 'vitest';
import { hasRelayKey, whyEnabled } from '#contract/site/enabled.ts';
import { isKeyless, openaiProviders } from '#contract/site/providers/provider-api.ts';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';

function siteWith(settings: object) {
  const admin = { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] };
  return siteSchema.parse({ release: ['https://e.org/'], admin, ...settings });
}

const openai = { base_url: 'https://api.openai.com/v1' };
const anthropic = { base_url: 'https://api.anthropic.com/v1', api: 'anthropic' };

describe('the API of a provider', () => {
  it("defaults to OpenAI's, and only such providers serve the front-ends", () => {
    const site = siteWith({ providers: { anthropic, openai, same: { ...openai, api: 'openai' } } });
    expect(checkSite(site)).toEqual([]);
    expect(openaiProviders(site).map(([name]) => name)).toEqual(['openai', 'same']);
    expect(hasRelayKey(site, 'ui')).toBe(true);
  });

  it('rejects an API that the relay does not know', () => {
    expect(() => siteWith({ providers: { x: { ...openai, api: 'cohere' } } })).toThrow(/api/);
  });
});

describe('a machine of the administrator', () => {
  it('needs no key', () => {
    const gpu = { base_url: 'http://10.0.0.5:8000/v1', plain: 'i-understand' };
    const { providers } = siteWith({ providers: { gpu, openai } });
    expect(Object.values(providers).map(isKeyless)).toEqual([true, false]);
    expect(() => siteWith({ providers: { gpu: { ...gpu, plain: true } } })).toThrow(/plain/);
  });
});

describe('local models of the relay', () => {
  it('enable the relay of a site without providers', () => {
    const site = siteWith({ relay: { local: true, keys: ['phone'] } });
    expect(checkSite(site)).toEqual([]);
    expect(whyEnabled(site, 'relay')).toBe('relay.local is true');
    expect(whyEnabled(siteWith({ relay: { local: false } }), 'relay')).toBeUndefined();
  });

  it('reject a provider of the same name, and leave it alone without them', () => {
    const providers = { local: openai };
    expect(checkSite(siteWith({ providers, relay: { local: true } }))).toMatchObject([
      { at: ['relay', 'local'], hint: 'Rename the provider.' },
    ]);
    expect(checkSite(siteWith({ providers }))).toEqual([]);
  });
});
