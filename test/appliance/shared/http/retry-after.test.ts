import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from '#http/retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  ])('%j is %i ms', (value, expected) => {
    expect(readRetryAfter(value, now)).toBe(expected);
  });

  it.each([
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '2026-01-01',
    '9999999999',
    'Thu, 99 Foo 2026 00:00:30 GMT',
  ])('%j is ignored', (value) => {
    expect(readRetryAfter(value, now)).toBeUndefined();
  });

  it('may be missing', () => {
    expect(readRetryAfter(undefined)).toBeUndefined();
  });

  it('accepts every HTTP date', () => {
    const future = fc.date({ min: new Date(now), max: new Date(now + 1e11), noInvalidDate: true });
    fc.assert(
      fc.property(future, (date) => {
        const seconds = Math.floor((date.getTime() - now) / 1000);
        expect(readRetryAfter(date.toUTCString(), now)).toBe(seconds * 1000);
      }),
    );
  });

  it('reads any text as Retry-After, and returns no negative delay', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(readRetryAfter(value, now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
