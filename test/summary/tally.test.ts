import { describe, expect, it } from 'vitest';
import { closingLine, formatSkip, noOutcome, slowestOf, total } from './tally.ts';

describe('the closing line', () => {
  it('adds up all suites in a machine-readable form', () => {
    const skips = [{ suite: 'a.test.ts > a server', reason: 'no Docker', tests: 1 }];
    const outcome = total([
      {
        ...noOutcome,
        ...{ passed: 2, skipped: 1, skips, files: { 'a.test.ts': 1 } },
        slowest: [{ name: 'a', seconds: 1 }],
      },
      {
        ...noOutcome,
        ...{ passed: 3, failed: 4, failures: ['failed: b'], files: { 'a.test.ts': 2 } },
        slowest: [{ name: 'b', seconds: 2 }],
      },
    ]);
    expect(closingLine(outcome)).toBe('5 passed, 4 failed, 1 skipped');
    expect(outcome.failures).toEqual(['failed: b']);
    expect(outcome.skips.map(formatSkip)).toEqual([
      'skipped: a.test.ts > a server: no Docker (1 test)',
    ]);
    expect(outcome.files).toEqual({ 'a.test.ts': 3 });
    expect(outcome.slowest.map(({ name }) => name)).toEqual(['b', 'a']);
  });
});

describe('the slowest tests', () => {
  it('returns the ten slowest tests, the slowest first', () => {
    const tests = Array.from({ length: 12 }, (_, index) => ({ name: `${index}`, seconds: index }));
    expect(slowestOf(tests).map(({ seconds }) => seconds)).toEqual([
      11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
    ]);
  });
});
