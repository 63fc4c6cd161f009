import { afterAll, beforeAll } from 'vitest';
import { firstBooted } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { itBansAttackers } from './ban-view.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution, 'serverBundle');

  given.describe(`a finished ${distribution} under a brute-force attack`, () => {
    let premises: Premises;

    beforeAll(async () => {
      premises = await firstBooted(given, distribution);
    });
    afterAll(() => premises?.close());

    itBansAttackers(() => premises);
  });
}
