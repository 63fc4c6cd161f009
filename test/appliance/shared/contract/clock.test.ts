import { describe, expect, it } from 'vitest';
import { happenedWithin, mustWait } from '#contract/clock.ts';

const now = 1_790_000_000_000;

describe('a time in the past', () => {
  it.each([0.9, 0, -1, -60_000])('counts a change %d ms from now as recent', (ms) => {
    expect(happenedWithin(60_000, now + ms, now)).toBe(true);
  });

  it.each([-60_001, 1001, 3_600_000])('does not count a change %d ms from now', (ms) => {
    expect(happenedWithin(60_000, now + ms, now)).toBe(false);
  });
});

describe('a time to wait for', () => {
  const year = 365 * 86_400_000;

  it.each([
    [1, true],
    [60_000, true],
    [0, false],
    [-1, false],
    [-50 * year, false],
    // A clock that was fifty years ahead stored it.
    [50 * year, false],
    [Number.NaN, false],
  ])('counts up to the longest wait: %d ms from now', (ms, waits) => {
    expect(mustWait(now + ms, 60_000, now)).toBe(waits);
  });
});
