import { inLanguage, type Language } from '#contract/text/language.ts';
import type { UsageProblem } from '../budget/usage-event.ts';

const texts: Readonly<Record<UsageProblem, { en: string; zh: string }>> = {
  missing: { en: 'its folder does not exist', zh: '目录不存在' },
  foreign: { en: 'its files belong to another user', zh: '文件属于其他用户' },
  future: { en: 'a later release has written it', zh: '由更新的版本写入' },
  damaged: { en: 'its files are damaged', zh: '文件已损坏' },
  unwritable: { en: 'its folder cannot be written', zh: '目录无法写入' },
};

/** Describes why the usage of relay keys cannot be used. */
export function describeUsageProblem(problem: UsageProblem, language?: Language): string {
  return inLanguage(texts[problem], language);
}
