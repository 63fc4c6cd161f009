import { describe, expect, it } from 'vitest';
import { chosenImages } from '#contract/chosen-images.ts';
import { siteSchema } from '#contract/site.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const image = (component: string, optional: boolean) => ({
  ...{ component, optional, reference: `${component}:1`, index: digest },
  ...{ manifest: null, config: null, size: null },
});
const release = {
  images: [
    image('engine', false),
    image('chat', true),
    image('lobe', true),
    image('relay', true),
    image('constructor', true),
  ],
};

function chosen(site: object): string[] {
  const full = siteSchema.parse({
    release: ['https://example.com/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me'] },
    ...site,
  });
  return chosenImages(release, full).map(({ component }) => component);
}

describe('the images that a site runs', () => {
  it('are those that are not optional', () => {
    expect(chosen({})).toEqual(['engine']);
  });

  it.each([
    ['a provider', { providers: { openai: { base_url: 'https://api.openai.com/v1' } } }],
    ['a name for it', { hosts: { relay: 'api.example.com' } }],
  ])('have the relay where there is %s', (_what, site) => {
    expect(chosen(site)).toEqual(['engine', 'relay']);
  });

  it('have the front-ends that are on, and the relay that these ask', () => {
    expect(chosen({ components: { chat: true } })).toEqual(['engine', 'chat', 'relay']);
    expect(chosen({ components: { lobe: true } })).toEqual(['engine', 'lobe', 'relay']);
  });
});
