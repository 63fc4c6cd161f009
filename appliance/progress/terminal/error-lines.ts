import { plainLine } from '#contract/text/plain-line.ts';
import { retryAdvice } from '../../stage/retry-advice.ts';
import type { StagesStanding } from '../standing.ts';

/**
 * Returns why a run failed and what comes next, one plain line each; nothing for one that did not
 * fail. What was stored may hold anything; what a terminal obeys does not pass.
 */
export function errorLines({
  status: { error, state },
  installed,
}: Pick<StagesStanding, 'status' | 'installed'>): string[] {
  if (state !== 'failed') return [];
  if (!error) return ['the first boot has stopped', retryAdvice({ retriable: true }, installed)];
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
