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
  if (!error) return ['the first boot failed', retryAdvice({ retriable: true }, installed)];
  const { code, message, problems = [], hint } = error;
  return [
    plain(`${code}: ${message}`),
    ...problems.map((problem) => `  ${plain(problem)}`),
    ...(hint ? [plain(`hint: ${hint}`)] : []),
    retryAdvice(error, installed),
  ];
}

function plain(text: string): string {
  return plainLine(text, 1000);
}
