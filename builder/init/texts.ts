import { currentLanguage } from '#contract/text/language.ts';
import { chineseTexts } from './chinese-texts.ts';
import { englishTexts, type Texts } from './english-texts.ts';

/** Returns the texts in the language of this process. */
export function texts(): Texts {
  return currentLanguage() === 'zh' ? chineseTexts : englishTexts;
}
