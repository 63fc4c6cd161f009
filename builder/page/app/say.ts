import { inLanguage } from '#contract/text/language.ts';

/** Returns a text in the language of the page. */
export function say(en: string, zh: string): string {
  return inLanguage({ en, zh });
}
