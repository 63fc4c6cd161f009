import { describe, expect, it } from 'vitest';
import { formatBytes, formatRate } from '#contract/text/amount.ts';

describe('formatted bytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [12_345, '12.3 kB'],
    [123_456, '123 kB'],
    [999_499, '999 kB'],
    [999_600, '1.0 MB'],
    [4.7e9, '4.7 GB'],
    [2e15, '2000 TB'],
  ])('%d is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

it('formats a rate as bytes per second', () => {
  expect(formatRate(12_345_678)).toBe('12.3 MB/s');
});
