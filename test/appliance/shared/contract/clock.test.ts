import { describe, expect, it } from 'vitest';
import { changedWithin } from '#files/changed-within.ts';

const now = 1_790_000_000_000;

describe('the age of a file', () => {
  it.each([0.9, 0, -1, -60_000])('counts a change %d ms from now as recent', (ms) => {
    expect(changedWithin(60_000, now + ms, now)).toBe(true);
  });

  it.each([-60_001, 1001, 3_600_000])('does not count a change %d ms from now', (ms) => {
    expect(changedWithin(60_000, now + ms, now)).toBe(false);
  });
});
