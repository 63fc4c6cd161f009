import { type Language, setLanguage } from '#contract/text/language.ts';
import { setChineseRows } from '#contract/text/translated.ts';

/** Goes on in the language of a site, if it names one. JSON stays in English. */
export async function speakAs(
  { language }: { readonly language?: Language | undefined },
  { json }: { readonly json?: boolean | undefined },
): Promise<void> {
  if (language !== undefined && !json) await speak(language);
}

/**
 * Sets the language of what a command prints: that of the site that it reads, or else of the terminal. Loads
 * the Chinese rows when they are needed.
 */
export async function speak(language: Language): Promise<void> {
  if (language === 'zh') {
    const { chineseRows } = await import('./chinese/rows.ts');
    setChineseRows(chineseRows);
  }
  setLanguage(language);
}
