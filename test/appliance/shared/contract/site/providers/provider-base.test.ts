import { describe, expect, it } from 'vitest';
import { knownProviders } from '#contract/known-providers.ts';
import { adviseBase, baseFlaw, modelListOf } from '#contract/site/providers/provider-base.ts';

describe('the base URL of a provider', () => {
  it.each(Object.values(knownProviders))('accepts the known provider %s', (url) => {
    expect(baseFlaw(url)).toBeUndefined();
    expect(baseFlaw(`${url}/`)).toBeUndefined();
  });

  it('accepts Perplexity, whose API has no path', () => {
    expect(baseFlaw('https://api.perplexity.ai/')).toBeUndefined();
    const list = modelListOf(new URL('https://api.perplexity.ai'));
    expect(list.href).toBe('https://api.perplexity.ai/models');
  });

  it.each(['https://x.example/api/v1/', 'https://x.example/anything/v4', 'https://x.example/v10'])(
    'accepts %s',
    (url) => {
      expect(baseFlaw(url)).toBeUndefined();
    },
  );

  it.each([
    ['https://api.openai.com', 'https://api.openai.com/v1', 'no-path'],
    ['https://open.bigmodel.cn', 'https://open.bigmodel.cn/api/paas/v4', 'no-path'],
    ['https://llm.example', 'https://llm.example/v1', 'no-path'],
    ['https://openrouter.ai/api/', 'https://openrouter.ai/api/v1', 'incomplete'],
    ['https://open.bigmodel.cn/api/paas', 'https://open.bigmodel.cn/api/paas/v4', 'incomplete'],
    ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1', 'endpoint'],
    ['https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1', 'endpoint'],
    [
      'https://generativelanguage.googleapis.com',
      'https://generativelanguage.googleapis.com/v1beta',
      'no-path',
    ],
    ['https://x.example/api/v3/models', 'https://x.example/api/v3', 'endpoint'],
    ['https://api.perplexity.ai/chat/completions', 'https://api.perplexity.ai', 'endpoint'],
  ])('rejects %s and suggests %s', (url, suggested, flaw) => {
    expect(baseFlaw(url)).toBe(flaw);
    expect(adviseBase(url)).toContain(`Set ${suggested} instead of`);
  });

  it('shows the base URL of a provider without user, password and query', () => {
    const advice = adviseBase('https://user@x.example/?who=me');
    expect(advice).toContain('instead of https://x.example/ if');
    expect(advice).not.toMatch(/user|who=me/);
  });
});

describe('the list of models of a provider', () => {
  it.each([
    ['https://open.bigmodel.cn/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4/models'],
    [
      'https://ark.cn-beijing.volces.com/api/v3/',
      'https://ark.cn-beijing.volces.com/api/v3/models',
    ],
    ['https://qianfan.baidubce.com/v2', 'https://qianfan.baidubce.com/v2/models'],
    ['https://open.bigmodel.cn', 'https://open.bigmodel.cn/api/paas/v4/models'],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1/models'],
    ['https://llm.example', 'https://llm.example/v1/models'],
    ['https://llm.example/v2/models', 'https://llm.example/v2/models'],
  ])('finds the models of the provider %s at %s', (base, list) => {
    expect(modelListOf(new URL(base)).href).toBe(list);
  });
});
