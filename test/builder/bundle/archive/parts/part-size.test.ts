import { describe, expect, it } from 'vitest';
import { partSizeFlag, partSizeOf } from '../../../../../builder/bundle/archive/parts.ts';

describe('--max-part-size', () => {
  it.each([
    ['1900000000', 1_900_000_000],
    ['1.9GB', 1_900_000_000],
    ['1900 MB', 1_900_000_000],
    ['0.5kB', 500],
    ['2TB', 2_000_000_000_000],
  ])('reads %s', (text, bytes) => {
    expect(partSizeFlag('--max-part-size', text)).toBe(bytes);
  });

  it('may be absent', () => {
    expect(partSizeFlag('--max-part-size', undefined)).toBeUndefined();
  });

  it.each(['', '0', '-1', '1.9', '1.9gb', '2GiB', 'GB', '1e9', '0.0001kB', '999999999999999TB'])(
    'rejects %j',
    (text) => {
      expect(() => partSizeFlag('--max-part-size', text)).toThrow(
        expect.objectContaining({ code: 'USAGE' }),
      );
    },
  );
});

describe('the size of the parts', () => {
  it.each([
    [1000, undefined, undefined],
    [1000, 1000, undefined],
    [1000, 1001, undefined],
    [1000, 999, 999],
    [1000, 600, 600],
  ])('splits %i bytes with at most %j into parts of %j', (total, max, size) => {
    expect(partSizeOf(total, max)).toBe(size);
  });

  it.each([
    [1000, 500],
    [1000, 250],
    [12, 6],
    [512 * 600, 512],
  ])('splits %i bytes with at most %i so that the last part is smaller', (total, max) => {
    const size = partSizeOf(total, max) ?? 0;
    expect(size).toBeLessThanOrEqual(max);
    expect(total % size).toBeGreaterThan(0);
  });

  it('rejects a part size that makes more parts than names', () => {
    expect(partSizeOf(998_001, 1000)).toBe(1000);
    expect(() => partSizeOf(1_000_000, 1000)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: '--max-part-size 1.0 kB: the bundle needs 1000 parts',
      }),
    );
  });
});
