import { chineseErrorOf } from '#contract/text/chinese-errors.ts';
import { currentLanguage, inLanguage, type Language, type Text } from '#contract/text/language.ts';

/** A destination. Its subject is the key of its state and its name in English. */
interface Named {
  readonly subject: string;
  /** Absent for names that are the same in every language, such as files. */
  readonly title?: Text | undefined;
}

/** Why a destination cannot be reached. */
interface Cause {
  readonly cause?: string | undefined;
  /** The error code, which has a Chinese text. */
  readonly code?: string | undefined;
}

/** Returns the name of a destination for users. */
export function nameOf({ subject, title }: Named, language: Language = currentLanguage()): string {
  return title === undefined ? subject : inLanguage(title, language);
}

/** Returns the cause; in Chinese after the meaning of its code, because it names the host. */
export function causeOf(
  { cause = '', code = '' }: Cause,
  language: Language = currentLanguage(),
): string {
  const known = language === 'zh' ? chineseErrorOf(code) : undefined;
  return known === undefined ? cause : `${known.title}：${cause}`;
}
