import { describe, expect, it } from 'vitest';
import { languageOfLocale } from '#contract/text/language.ts';

describe('the language of a locale', () => {
  it.each([
    ['zh', { LANG: 'zh_CN.UTF-8' }],
    ['zh', { LANG: 'en_US.UTF-8', LC_ALL: 'zh_CN.UTF-8' }],
    ['zh', { LANG: 'C.UTF-8', LC_MESSAGES: 'zh_SG' }],
    ['en', { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }],
    ['en', { LANG: 'zhuang' }],
    ['en', {}],
  ] as const)('detects the language %s for the locale %j', (language, env) => {
    expect(languageOfLocale(env)).toBe(language);
  });
});
