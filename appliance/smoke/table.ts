import type { SmokeResult } from './smoke-test.ts';

const words = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** Results as people read them: one line each, and under a failure what to do about it. */
export function smokeTable(results: readonly SmokeResult[]): string {
  const width = Math.max(...results.map(({ title }) => title.length));
  const lines = results.flatMap(({ title, outcome, took, detail, lookAt }) => {
    const time = outcome === 'skipped' ? '' : `${took} ms`;
    const first = `${words[outcome].padEnd(7)}  ${title.padEnd(width)}  ${time.padStart(8)}`;
    if (outcome === 'skipped') return [`${first.trimEnd()}  ${detail}`];
    if (outcome === 'passed') return [detail ? `${first}  ${detail}` : first];
    return [first, `         found    ${detail}`, `         look at  ${lookAt}`];
  });
  return [...lines, '', summary(results)].join('\n');
}

function summary(results: readonly SmokeResult[]): string {
  const count = (wanted: string) => results.filter(({ outcome }) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}
