import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration } from '#contract/text/amount.ts';

describe('a duration', () => {
  it.each([
    [0, '0.0 s'],
    [431, '0.4 s'],
    [9949, '9.9 s'],
    [9951, '10 s'],
    [59_400, '59 s'],
    [73_000, '1 min 13 s'],
    [59_600, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [250_000, '4 min 10 s'],
    [3_599_600, '1 h 0 min'],
    [3_900_000, '1 h 5 min'],
  ])('formats a duration of %d ms as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('never contains 60 seconds or 60 minutes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 100_000_000 }), (milliseconds) => {
        expect(formatDuration(milliseconds)).not.toMatch(/\b60(?:\.0)? (?:s|min)/);
      }),
    );
  });
});
