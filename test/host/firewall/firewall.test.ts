import { afterAll, beforeAll, describe } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { FirewallLab } from './firewall-lab.ts';
import { itOpensAfterAPowerCut, itSurvivesRestarts } from './firewall-restarts-view.ts';
import { itActivatesTheFirewall, itFilters } from './firewall-view.ts';

/** Views of one server, in this order. */
for (const distribution of distributions()) {
  const given = hostNeeds(distribution);

  given.describe(`the firewall of ${distribution}, with Docker of the distribution`, () => {
    let lab: FirewallLab;

    beforeAll(async () => {
      lab = await FirewallLab.open(given.dependencies, distribution);
    });
    afterAll(() => lab?.close());

    itActivatesTheFirewall(() => lab);

    itOpensAfterAPowerCut(() => lab);

    describe('that the next stage confirmed', () => {
      beforeAll(() => lab.apply('firewall,ban'));

      itFilters(() => lab);

      itSurvivesRestarts(() => lab);
    });
  });
}
