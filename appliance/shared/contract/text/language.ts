/** English, or simplified Chinese. Codes, commands and fields are never translated. */
export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** A text in each language. */
export type Text = Readonly<Record<Language, string>>;

/** Returns a text that is alike in each language, such as the line of a program. */
export function inBoth(text: string): Text {
  return { en: text, zh: text };
}

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

/** Returns a text in the language of this process. */
export function say(en: string, zh: string): string {
  return inLanguage({ en, zh });
}

/** Reports whether a text has Chinese characters: one that was already translated. */
export function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

export function currentLanguage(): Language {
  return current;
}
