import { formatDuration } from '#contract/text/duration.ts';
import { alignRows } from '#contract/text/table.ts';
import type { SmokeResult } from './smoke-test.ts';

const words = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** Presentation of a table. */
interface TableLook {
  /** `line`: one line for all skipped tests, because a run from outside skips many. */
  readonly skipped?: 'rows' | 'line';
}

/** Formats results as a table: one line per test, with cause and hint below a failure. */
export function smokeTable(
  results: readonly SmokeResult[],
  { skipped = 'rows' }: TableLook = {},
): string {
  const shown =
    skipped === 'rows' ? results : results.filter(({ outcome }) => outcome !== 'skipped');
  const rows = alignRows(shown.map(cellsOf), [{}, {}, { align: 'right' }]);
  const lines = rows.flatMap((row, index) => [row, ...failureLines(shown[index])]);
  return [...lines, ...(skipped === 'line' ? skippedLine(results) : []), '', summary(results)].join(
    '\n',
  );
}

function cellsOf({ title, outcome, took, detail = '' }: SmokeResult): string[] {
  const time = outcome === 'skipped' ? '' : formatDuration(took);
  return [words[outcome], title, time, outcome === 'failed' ? '' : detail];
}

function failureLines(result: SmokeResult | undefined): string[] {
  if (result?.outcome !== 'failed') return [];
  return [`         cause  ${result.detail}`, `         see    ${result.lookAt}`];
}

/** Returns how many tests each reason skipped, the most frequent first; empty without skipped tests. */
function skippedLine(results: readonly SmokeResult[]): string[] {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  if (skipped.length === 0) return [];
  const reasons = [...Map.groupBy(skipped, ({ detail = '' }) => detail)]
    .map(([reason, { length }]) => ({ reason, count: length }))
    .toSorted((one, other) => other.count - one.count)
    .map(({ reason, count }) => `${reason} (${count})`);
  return [`${words.skipped}  ${reasons.join('; ')}`];
}

function summary(results: readonly SmokeResult[]): string {
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
