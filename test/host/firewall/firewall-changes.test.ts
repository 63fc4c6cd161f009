import { afterAll, beforeAll, describe } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { itFollowsChanges } from './firewall-changes-view.ts';
import { FirewallLab } from './firewall-lab.ts';
import { itFollowsSshd } from './firewall-sshd-view.ts';

/** Views of one server, in this order. */
for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution);

  given.describe(`the confirmed firewall of ${distribution}`, () => {
    let lab: FirewallLab;

    beforeAll(async () => {
      lab = await FirewallLab.open(given.dependencies, distribution);
      await lab.apply('firewall,ban');
    });
    afterAll(() => lab?.close());

    describe('changed manually', () => itFollowsChanges(() => lab));

    describe('with customized sshd settings', () => itFollowsSshd(() => lab));
  });
}
