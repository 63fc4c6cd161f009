import { describe, expect, it } from 'vitest';
import { Preparation, type Provider } from './preparation.ts';
import { Unmet } from './unmet.ts';
import { type NeedName, needNames } from './variables.ts';

function prepared(some: Partial<Record<NeedName, Provider>>, said: string[] = []): Preparation {
  const none = needNames.map((name): [NeedName, Provider] => [
    name,
    () => {
      throw new Error(`unexpected dependency: ${name}`);
    },
  ]);
  const providers = { ...Object.fromEntries(none), ...some } as Record<NeedName, Provider>;
  return new Preparation(providers, (topic, text) => said.push(`${topic}: ${text}`));
}

describe('a preparation', () => {
  it('provides the value of a dependency, or the reason why it is missing', async () => {
    const preparation = prepared({
      registryAuth: () => '127.0.0.1:5000',
      engine: () => {
        throw new Unmet('only root may');
      },
    });
    await preparation.provide(['registryAuth', 'engine']);
    expect(preparation.variables()).toMatchObject({
      LANDFALL_TEST_REGISTRY_AUTH: '127.0.0.1:5000',
      LANDFALL_TEST_UNMET_ENGINE: 'only root may',
      LANDFALL_TEST_UNMET_TRIXIE: 'not prepared',
    });
    expect(preparation.variables()).not.toHaveProperty('LANDFALL_TEST_ENGINE');
    expect(preparation.variables()).not.toHaveProperty('LANDFALL_TEST_UNMET_REGISTRY_AUTH');
  });

  it('builds shared dependencies once', async () => {
    let made = 0;
    const preparation = prepared({
      images: () => {
        made += 1;
        return '/images';
      },
      registry: async (get) => `registry of ${await get('images')}`,
      registryAuth: async (get) => `guarded registry of ${await get('images')}`,
    });
    await preparation.provide(['registry', 'registryAuth', 'images']);
    expect(made).toBe(1);
    expect(preparation.variables().LANDFALL_TEST_REGISTRY).toBe('registry of /images');
  });

  it('names the failed dependency of a dependency', async () => {
    const said: string[] = [];
    const providers: Partial<Record<NeedName, Provider>> = {
      images: () => {
        throw new Error('first\nE: no such package\n');
      },
      registry: async (get) => await get('images'),
    };
    const preparation = prepared(providers, said);
    await preparation.provide(['registry']);
    expect(preparation.variables().LANDFALL_TEST_UNMET_REGISTRY).toBe(
      'no images: first; E: no such package',
    );
    expect(said).toContain('images: not available: first; E: no such package');
  });
});
