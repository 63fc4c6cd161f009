import { expect, it } from 'vitest';
import { amount } from '../../../builder/diff/amount.ts';
import { costOf } from '../../../builder/diff/cost.ts';

it.each([
  [[], 'no files'],
  [[1000], '1.0 kB in 1 file'],
  [[1000, 500], '1.5 kB in 2 files'],
  [[null], '1 file of unknown size'],
  [[1000, null, null], '1.0 kB in 1 file and 2 files of unknown size'],
  [[0], '0 B in 1 file'],
])('the sizes %j are printed as "%s"', (sizes, text) => {
  expect(amount(costOf(sizes), 'file')).toBe(text);
});
