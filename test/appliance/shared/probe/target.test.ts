import { describe, expect, it } from 'vitest';
import { knownProviders } from '#contract/known-providers.ts';
import { targetsOf } from '../../../../appliance/shared/probe/target.ts';

const models = 'https://api.openai.com/v1/models';

describe('a target', () => {
  it.each([
    'https://api.openai.com',
    'https://api.openai.com/',
    'https://api.openai.com/v1',
    'https://api.openai.com/v1/',
    models,
    `${models}?limit=1`,
  ])('uses the list of models as the target: %s', (url) => {
    const [target] = targetsOf([url]);
    expect(`${target?.name} ${target?.url}`).toBe(`api.openai.com ${models}`);
  });

  it('keeps the path of the API', () => {
    const [target] = targetsOf(['https://openrouter.ai/api/v1']);
    expect(target?.url.href).toBe('https://openrouter.ai/api/v1/models');
  });

  it('probes each provider of the site, else each known one', () => {
    const site = { mine: { base_url: 'https://llm.example/v1' } };
    expect(targetsOf([], site).map(({ name }) => name)).toEqual(['mine']);
    expect(targetsOf([], {}).map(({ name }) => name)).toEqual(Object.keys(knownProviders));
  });

  it('probes Gemini with an invalid key, because it denies access without any', () => {
    const base_url = 'https://gemini.example/v1beta';
    const [target] = targetsOf([], { google: { base_url, api: 'gemini' } });
    expect(target?.url.href).toBe('https://gemini.example/v1beta/models?key=none');
  });

  it.each([
    'api.openai.com',
    'ftp://a.test',
    'https://me:secret@a.test/v1',
    'https://sk-key@a.test',
  ])('rejects a target without repeating it: %s', (url) => {
    expect(() => targetsOf([url])).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.not.stringContaining(url) }),
    );
  });
});
