import { describe, expect, it } from 'vitest';
import { adviseBase, endsInVersion } from '#contract/site/provider-base.ts';

describe('the base URL of a provider', () => {
  it.each(['https://api.openai.com/v1', 'https://x.example/api/v1/'])('may be %s', (url) => {
    expect(endsInVersion(url)).toBe(true);
  });

  it.each([
    ['https://api.openai.com', 'https://api.openai.com/v1'],
    ['https://openrouter.ai/api/', 'https://openrouter.ai/api/v1'],
    ['https://api.openai.com/v1/chat/completions', 'https://api.openai.com/v1'],
    ['https://x.example/v10', 'https://x.example/v10/v1'],
  ])('may not be %s: %s is suggested', (url, meant) => {
    expect(endsInVersion(url)).toBe(false);
    expect(adviseBase(url)).toContain(`Set ${meant} instead of`);
  });

  it('is shown without user, password and query', () => {
    const advice = adviseBase('https://user@x.example/api?who=me');
    expect(advice).toContain('instead of https://x.example/api if');
    expect(advice).not.toMatch(/user|who=me/);
  });
});
