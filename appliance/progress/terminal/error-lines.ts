import { chineseErrorOf } from '#contract/text/chinese-errors.ts';
import { currentLanguage, inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { retryAdvice } from '../../stage/retry-advice.ts';
import type { StagesStanding } from '../standing.ts';

/**
 * Returns the error of a failed run and the retry advice as plain lines; empty for other runs. Stored
 * text is stripped of control characters.
 */
export function errorLines({
  status: { error, state },
  installed,
}: Pick<StagesStanding, 'status' | 'installed'>): string[] {
  if (state !== 'failed') return [];
  if (!error) return [inLanguage(failed), retryAdvice({ retriable: true }, installed)];
  const { code, message, problems = [], hint } = error;
  const known = currentLanguage() === 'zh' ? chineseErrorOf(code) : undefined;
  return [
    plain(`${code}: ${known?.title ?? message}`),
    ...(known ? [`  ${plain(message)}`] : []),
    ...problems.map((problem) => `  ${plain(problem)}`),
    ...(known ? [`建议: ${known.hint}`] : []),
    ...(hint ? [plain(`hint: ${hint}`)] : []),
    retryAdvice(error, installed),
  ];
}

const failed = { en: 'the first boot failed', zh: '首次启动失败' };

function plain(text: string): string {
  return plainLine(text, 1000);
}
