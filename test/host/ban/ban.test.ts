import { afterAll, beforeAll, describe } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { BanLab } from './ban-lab.ts';
import { itBansAtTheGateway } from './gateway-bans-view.ts';
import { itBansAtSsh } from './ssh-bans-view.ts';

for (const distribution of distributions()) {
  const given = hostNeeds(distribution);

  given.describe(`bans on ${distribution}`, () => {
    let lab: BanLab;

    beforeAll(async () => {
      lab = await BanLab.open(given.dependencies, distribution);
    });
    afterAll(() => lab?.close());

    // First: the gateway's tests make fail2ban ignore the administrator.
    describe('of clients that fail to log in', () => itBansAtSsh(() => lab));

    describe('at the gateway', () => itBansAtTheGateway(() => lab));
  });
}
