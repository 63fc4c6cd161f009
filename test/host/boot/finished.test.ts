import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { workFolder } from '../../simulator/work-folder.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { itBansAttackers } from '../ban/brute-force-view.ts';
import { itPassesAudits, lynisIndexOfFresh } from '../commands/audit-view.ts';
import { itNamesCauses } from '../commands/doctor-causes-view.ts';
import { itLimitsTheTimeOfChecks } from '../commands/doctor-time-limit-view.ts';
import { itFindsFaults, mirrorName, model } from '../commands/doctor-view.ts';
import { itChecksItsRoute } from '../commands/route-check-view.ts';
import { startOnServer } from '../commands/start-on-server.ts';
import { itIsUninstalled } from '../commands/uninstall-view.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { chatSite } from './first-booted.ts';
import { HostBundle } from './host-bundle.ts';
import { Premises } from './premises.ts';
import { itSurvivesRestarts } from './restarts-view.ts';
import { itStartsTheProgram, itStopsForGood } from './user-data-view.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'registry', 'composePlugin');

/** Views of one server, in this order: the last ones restart it, and stop it for good. */
given.describe(`a finished ${distribution}`, () => {
  let premises: Premises;
  let indexBefore: number;
  const finished = () => premises;

  beforeAll(async () => {
    const { dependencies, registry, composePlugin: plugin } = given;
    const folder = join(await workFolder(), 'bundle');
    const models = [{ name: model, bytes: tinyGguf() }];
    const bundle = await HostBundle.shipped({ registry, plugin, folder, models });
    premises = await Premises.open({
      ...{ dependencies, distribution, bundle },
      site: async (cloud) => {
        cloud.names.set(mirrorName, { v4: '203.0.113.7', v6: '2001:db8::7' });
        return { ...chatSite, mirrors: { files: `http://${mirrorName}/` } };
      },
    });
    [indexBefore] = await Promise.all([lynisIndexOfFresh(premises), premises.comeUp()]);
  });
  afterAll(() => premises?.close());

  describe('that received its user-data', () => itStartsTheProgram(finished));

  describe('with faults', () => itFindsFaults(finished));

  describe('with faults that cause others', () =>
    itNamesCauses(finished, (command) =>
      startOnServer(given.dependencies, premises.host, command),
    ));

  describe('where a program hangs', () => itLimitsTheTimeOfChecks(finished));

  describe('whose route is checked', () => itChecksItsRoute(finished));

  describe('audited', () => itPassesAudits(finished, () => indexBefore));

  describe('under a brute-force attack', () => itBansAttackers(finished));

  describe('restarted', () => itSurvivesRestarts(finished));

  describe('stopped', () => itStopsForGood(finished));

  describe('uninstalled', () =>
    itIsUninstalled(finished, (command) =>
      startOnServer(given.dependencies, premises.host, command),
    ));
});
