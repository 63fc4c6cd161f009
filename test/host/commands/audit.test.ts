import { afterAll, beforeAll, expect } from 'vitest';
import { openPremises } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { itPassesAudits, lynisIndex } from './audit-view.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution, 'serverBundle');

  given.describe(`a finished ${distribution}, audited`, () => {
    let premises: Premises;
    let before: number;

    beforeAll(async () => {
      premises = await openPremises(given, distribution);
      [before] = await Promise.all([indexOfFresh(premises), premises.comeUp()]);
    });
    afterAll(() => premises?.close());

    itPassesAudits(
      () => premises,
      () => before,
    );
  });
}

/** Hardening index of the same server without Landfall. */
async function indexOfFresh({ cloud, host: { distribution } }: Premises): Promise<number> {
  const fresh: FastHost = await cloud.boot({
    distribution,
    userData: '#cloud-config\nlocale: C.UTF-8\n',
  });
  expect(await fresh.cloudInit()).toBe('done');
  const index = await lynisIndex(fresh);
  await fresh.remove();
  return index;
}
