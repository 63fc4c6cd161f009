import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeAmount, fraction, soundAmount } from '../../../appliance/progress/amount.ts';
import { formatDuration } from '../../../appliance/progress/duration.ts';

describe('a duration', () => {
  it.each([
    [0, '0.0 s'],
    [431, '0.4 s'],
    [9949, '9.9 s'],
    [9951, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [119_600, '2 min 0 s'],
    [250_000, '4 min 10 s'],
    [3_599_600, '1 h 0 min'],
    [3_900_000, '1 h 5 min'],
  ])('of %d ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('never has sixty seconds or sixty minutes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 100_000_000 }), (milliseconds) => {
        expect(formatDuration(milliseconds)).not.toMatch(/\b60(?:\.0)? (?:s|min)/);
      }),
    );
  });
});

describe('an amount', () => {
  it.each([
    [{ done: 3, total: 7, unit: 'images' }, '3 of 7 images'],
    [{ done: 0, total: 947, unit: 'bytes' }, '0 of 947 bytes'],
    [{ done: 1500, total: 56_000, unit: 'bytes' }, '2 of 56 kB'],
    [{ done: 1.2e9, total: 4.3e9, unit: 'bytes' }, '1.2 of 4.3 GB'],
    [{ done: 4e7, total: 4.3e9, unit: 'bytes' }, '0.0 of 4.3 GB'],
  ] as const)('%o is %s', (amount, text) => {
    expect(describeAmount(amount)).toBe(text);
  });

  it('has a fraction from 0 to 1', () => {
    expect(fraction({ done: 1, total: 4 })).toBe(0.25);
    expect(fraction({ done: 9, total: 4 })).toBe(1);
    expect(fraction({ done: -1, total: 4 })).toBe(0);
    expect(fraction({ done: 1, total: 0 })).toBe(0);
  });

  it('makes sense or is none', () => {
    const numbers = fc.double();
    fc.assert(
      fc.property(numbers, numbers, (done, total) => {
        const amount = soundAmount({ done, total, unit: 'bytes' });
        if (amount === undefined) return;
        expect(amount.done).toBeGreaterThanOrEqual(0);
        expect(amount.done).toBeLessThanOrEqual(amount.total);
        expect(JSON.parse(JSON.stringify(amount))).toMatchObject({ unit: 'bytes' });
        expect(Number.isFinite(amount.total)).toBe(true);
      }),
    );
  });
});
