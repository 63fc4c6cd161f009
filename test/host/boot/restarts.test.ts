import { afterAll, beforeAll } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { firstBooted } from './first-booted.ts';
import type { Premises } from './premises.ts';
import { itSurvivesRestarts } from './restarts-view.ts';
import { itStartsTheProgram, itStopsForGood } from './user-data-view.ts';

// `finished.test.ts` tests the same on Debian 13.
for (const distribution of distributions(['debian12'])) {
  const given = hostNeeds(distribution, 'serverBundle');

  given.describe(`a ${distribution} that receives its user-data`, () => {
    let premises: Premises;

    beforeAll(async () => {
      premises = await firstBooted(given, distribution);
    });
    afterAll(() => premises?.close());

    itStartsTheProgram(() => premises);

    itSurvivesRestarts(() => premises);

    itStopsForGood(() => premises);
  });
}
