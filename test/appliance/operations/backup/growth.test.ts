import { describe, expect, it } from 'vitest';
import { sizesAfter, unusualGrowth } from '../../../../appliance/operations/backup/growth.ts';
import type { BackupSize } from '../../../../appliance/server/records/backups.ts';

/** A backup of a day of November, in gigabytes. */
const size = (day: number, gigabytes: number, hour = 3): BackupSize => ({
  at: new Date(Date.UTC(2026, 10, day, hour)).toISOString(),
  total: gigabytes * 1e9,
});

describe('the sizes of backups', () => {
  it('keeps one size per day of the last week', () => {
    let sizes: BackupSize[] = [];
    for (let day = 1; day <= 20; day += 1) {
      for (const hour of [3, 9, 21]) sizes = sizesAfter(sizes, size(day, day, hour));
    }
    expect(sizes.length).toBeLessThanOrEqual(9);
    expect(sizes[0]?.at.slice(0, 10)).toBe('2026-11-14');
    expect(sizes.at(-1)?.at.slice(0, 10)).toBe('2026-11-20');
  });

  it('drops sizes of the future after the clock was wrong', () => {
    expect(sizesAfter([size(25, 9)], size(2, 1))).toEqual([size(2, 1)]);
  });

  it.each([
    ['half as much again', [size(1, 2), size(4, 2.5)], size(8, 3), { from: 2e9, to: 3e9 }],
    ['less than half as much again', [size(1, 2)], size(8, 2.9), undefined],
    ['less than a gigabyte more', [size(1, 0.1)], size(3, 0.9), undefined],
    ['half as much again in more than a week', [size(1, 2), size(7, 2.9)], size(9, 3), undefined],
  ])('compares a backup with the oldest one of a week: %s', (_what, sizes, newest, growth) => {
    expect(unusualGrowth(sizes, newest)).toEqual(growth);
  });
});
