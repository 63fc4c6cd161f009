import { describe, expect, it } from 'vitest';
import { closingLine, slowestOf, total } from './tally.ts';

describe('the closing line', () => {
  it('adds up all suites in a machine-readable form', () => {
    const outcome = total([
      {
        passed: 2,
        failed: 0,
        skipped: 1,
        notes: ['skipped: a'],
        slowest: [{ name: 'a', seconds: 1 }],
      },
      {
        passed: 3,
        failed: 4,
        skipped: 0,
        notes: ['skipped: b'],
        slowest: [{ name: 'b', seconds: 2 }],
      },
    ]);
    expect(closingLine(outcome)).toBe('5 passed, 4 failed, 1 skipped');
    expect(outcome.notes).toEqual(['skipped: a', 'skipped: b']);
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
