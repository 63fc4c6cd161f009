import { describe, expect, it } from 'vitest';
import { closingLine, total } from './tally.ts';

describe('the closing line', () => {
  it('adds up every part in the form that programs read', () => {
    const outcome = total([
      { passed: 2, failed: 0, skipped: 1, notes: ['skipped: a'] },
      { passed: 3, failed: 4, skipped: 0, notes: ['skipped: b'] },
    ]);
    expect(closingLine(outcome)).toBe('5 passed, 4 failed, 1 skipped');
    expect(outcome.notes).toEqual(['skipped: a', 'skipped: b']);
  });
});
