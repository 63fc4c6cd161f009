/** English, or simplified Chinese. Codes, commands and fields are never translated. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** A text in each language. */
export type Text = Readonly<Record<Language, string>>;

/** Returns the language of a locale, by the variables in the order of POSIX; English by default. */
export function languageOfLocale(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh(?:[_.@-]|$)/i.test(locale) ? 'zh' : 'en';
}

let current: Language = 'en';

/** Sets the language of this process, as setlocale(3) does. Only the entry points call it. */
export function setLanguage(language: Language): void {
  current = language;
}

/**
 * Returns a text in the language of this process. A text that is stored needs the language of the site:
 * otherwise its content depends on the terminal from which it was written.
 */
export function inLanguage(text: Text, language: Language = current): string {
  return text[language];
}

export function currentLanguage(): Language {
  return current;
}
