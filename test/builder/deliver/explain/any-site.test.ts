import { it } from 'vitest';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { expectPlain } from './accepted-sites.ts';

it('explains 2,000 random sites without a finding', () => {
  expectPlain(fuzzRuns(2000));
});
