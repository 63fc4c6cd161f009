import { it } from 'vitest';
import { formats } from '../../../../builder/deliver/user-data/providers.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { expectPlain } from './accepted-sites.ts';

// 2,000 sites in total.
it.each(formats)('explains 500 random sites without a finding: %s', (format) => {
  expectPlain(format, fuzzRuns(500));
});
