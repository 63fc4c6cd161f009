import { describe, expect, it } from 'vitest';
import { chosenImages, missingComponents } from '#contract/site/chosen-images.ts';
import { siteSchema } from '#contract/site/site.ts';

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

function siteOf(site: object) {
  return siteSchema.parse({
    release: ['https://example.com/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me'] },
    ...site,
  });
}

function chosen(site: object): string[] {
  return chosenImages(release, siteOf(site)).map(({ component }) => component);
}

describe('the images that a site runs', () => {
  it('chooses only the required images of a site by default', () => {
    expect(chosen({})).toEqual(['engine']);
  });

  it('leaves out those that an engine node does not run', () => {
    const images = ['engine', 'ui', 'tinyproxy', 'gateway', 'acme'].map((name) =>
      image(name, false),
    );
    const node = siteOf({ role: 'engine-node' });
    expect(chosenImages({ images }, node).map(({ component }) => component)).toEqual([
      'engine',
      'gateway',
    ]);
  });

  it.each([
    ['a provider', { providers: { openai: { base_url: 'https://api.openai.com/v1' } } }],
    ['a host name for it', { hosts: { relay: 'api.example.com' } }],
  ])('include the relay with %s', (_what, site) => {
    expect(chosen(site)).toEqual(['engine', 'relay']);
  });

  it('include the enabled front-ends, and the relay that they need', () => {
    expect(chosen({ components: { chat: true } })).toEqual(['engine', 'chat', 'relay']);
    expect(chosen({ components: { lobe: true } })).toEqual(['engine', 'lobe', 'relay']);
  });
});

describe('the missing components of a release', () => {
  const bare = { images: [image('engine', false)] };
  const missing = (from: typeof release, site: object) => missingComponents(from, siteOf(site));

  it('finds no missing component if the release has all components of the site', () => {
    expect(missing(release, { components: { chat: true, lobe: true } })).toEqual([]);
  });

  it('finds no missing component if the site enables no optional components', () => {
    expect(missing(bare, { hosts: { ui: 'chat.example.com' } })).toEqual([]);
  });

  it.each([
    [
      { components: { lobe: true } },
      ['lobe: components.lobe is true', 'relay: a front-end is enabled'],
    ],
    [
      { providers: { openai: { base_url: 'https://api.openai.com/v1' } } },
      ['relay: providers.openai is set'],
    ],
    [{ hosts: { relay: 'api.example.com' } }, ['relay: hosts.relay is api.example.com']],
  ])('reports missing components with the field that enables them: %j', (site, told) => {
    expect(missing(bare, site).map(({ name, because }) => `${name}: ${because}`)).toEqual(told);
  });
});
