import { currentLanguage, type Language } from '#contract/text/language.ts';
import type { SmokeResult } from './smoke-test.ts';
import { smokeTests } from './smoke-tests.ts';

/** Returns what a test proves, for users. */
export function titleOf(
  { name, title }: Pick<SmokeResult, 'name' | 'title'>,
  language: Language = currentLanguage(),
): string {
  if (language === 'en') return title;
  return smokeTests.find((test) => test.name === name)?.chinese ?? title;
}
