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
