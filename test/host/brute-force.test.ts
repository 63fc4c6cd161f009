import { afterAll, beforeAll } from 'vitest';
import { itBansAttackers } from './ban-view.ts';
import { distributions } from './distributions.ts';
import { firstBooted } from './first-booted.ts';
import { hostNeeds } from './host-needs.ts';
import type { Premises } from './premises.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution, 'registry', 'composePlugin');

  given.describe(`a finished ${distribution} under a brute-force attack`, () => {
    let premises: Premises;

    beforeAll(async () => {
      premises = await firstBooted(given, distribution);
    });
    afterAll(() => premises?.close());

    itBansAttackers(() => premises);
  });
}
