import { formatDuration } from '#contract/text/duration.ts';
import { alignRows } from '#contract/text/table.ts';
import type { SmokeResult } from './smoke-test.ts';

const words = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** Formats results as a table: one line per test, with cause and hint below a failure. */
export function smokeTable(results: readonly SmokeResult[]): string {
  const rows = alignRows(results.map(cellsOf), [{}, {}, { align: 'right' }]);
  const lines = rows.flatMap((row, index) => [row, ...failureLines(results[index])]);
  return [...lines, '', summary(results)].join('\n');
}

function cellsOf({ title, outcome, took, detail = '' }: SmokeResult): string[] {
  const time = outcome === 'skipped' ? '' : formatDuration(took);
  return [words[outcome], title, time, outcome === 'failed' ? '' : detail];
}

function failureLines(result: SmokeResult | undefined): string[] {
  if (result?.outcome !== 'failed') return [];
  return [`         cause  ${result.detail}`, `         see    ${result.lookAt}`];
}

function summary(results: readonly SmokeResult[]): string {
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
