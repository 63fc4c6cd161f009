import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAmount, formatPercentage, fraction, soundAmount } from '#contract/text/amount.ts';

describe('an amount', () => {
  it.each([
    [{ done: 3, total: 7, unit: 'images' }, '3 of 7 images'],
    [{ done: 0, total: 947, unit: 'bytes' }, '0 B of 947 B'],
    [{ done: 4e5, total: 999_600, unit: 'bytes' }, '400 kB of 1.0 MB'],
    [{ done: 1500, total: 56_000, unit: 'bytes' }, '1.5 kB of 56.0 kB'],
    [{ done: 1.2e9, total: 4.3e9, unit: 'bytes' }, '1.2 GB of 4.3 GB'],
    [{ done: 4e7, total: 4.3e9, unit: 'bytes' }, '40.0 MB of 4.3 GB'],
  ] as const)('%o is %s', (amount, text) => {
    expect(formatAmount(amount)).toBe(text);
  });

  it('computes the fraction of an amount from 0 to 1', () => {
    expect(fraction({ done: 1, total: 4 })).toBe(0.25);
    expect(fraction({ done: 9, total: 4 })).toBe(1);
    expect(fraction({ done: -1, total: 4 })).toBe(0);
    expect(fraction({ done: 1, total: 0 })).toBe(0);
  });

  it('computes the percentage of an amount, which is 100 only at the end', () => {
    expect(formatPercentage({ done: 1, total: 15 })).toBe('6 %');
    expect(formatPercentage({ done: 999, total: 1000 })).toBe('99 %');
    expect(formatPercentage({ done: 1000, total: 1000 })).toBe('100 %');
  });

  it('returns no amount if it is invalid', () => {
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
