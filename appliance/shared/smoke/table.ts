import { formatDuration } from '#contract/text/amount.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import type { SmokeResult } from './smoke-test.ts';
import { titleOf } from './smoke-tests.ts';

const words = {
  passed: { en: 'ok', zh: '通过' },
  failed: { en: 'FAILED', zh: '失败' },
  skipped: { en: 'skipped', zh: '跳过' },
} as const;

/**
 * Formats results as a table: one line per test, with cause and hint below a failure, and one line for all
 * skipped tests.
 */
export function smokeTable(results: readonly SmokeResult[]): string {
  const shown = results.filter(({ outcome }) => outcome !== 'skipped');
  const rows = alignRows(shown.map(cellsOf), [{}, {}, { align: 'right' }]);
  const lines = rows.flatMap((row, index) => [row, ...failureLines(shown[index])]);
  return [...lines, ...skippedLine(results), '', summary(results)].join('\n');
}

function cellsOf(result: SmokeResult): string[] {
  const { outcome, took, detail = '' } = result;
  const cells = [inLanguage(words[outcome]), titleOf(result), formatDuration(took)];
  return outcome === 'failed' ? cells : [...cells, detail];
}

function failureLines(result: SmokeResult | undefined): string[] {
  if (result?.outcome !== 'failed') return [];
  const [cause, see] = [inLanguage(causeWord), inLanguage(seeWord)];
  return [`         ${cause}  ${result.detail}`, `         ${see}  ${result.lookAt}`];
}

const causeWord = { en: 'cause', zh: '原因' };
const seeWord = { en: 'see  ', zh: '查看' };

/** Returns how many tests each reason skipped, the most frequent first; empty without skipped tests. */
function skippedLine(results: readonly SmokeResult[]): string[] {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  if (skipped.length === 0) return [];
  const reasons = [...Map.groupBy(skipped, ({ detail = '' }) => detail)]
    .map(([reason, { length }]) => ({ reason, count: length }))
    .toSorted((one, other) => other.count - one.count)
    .map(({ reason, count }) => say(`${reason} (${count})`, `${reason}（${count}）`));
  return [`${inLanguage(words.skipped)}  ${reasons.join(say('; ', '；'))}`];
}

function summary(results: readonly SmokeResult[]): string {
  const count = (expected: string) => results.filter(({ outcome }) => outcome === expected).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  return inLanguage({
    en: `${passed} passed, ${failed} failed, ${skipped} skipped`,
    zh: `${passed} 项通过，${failed} 项失败，${skipped} 项跳过`,
  });
}
