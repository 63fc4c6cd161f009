import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { hostNeeds } from '../../host/host-needs.ts';
import { answeredBy, type Origin } from '../../host/sealed/overseas.ts';
import { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { itComesUp } from '../../host/sealed/sealed-view.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { gitSite } from './git-site.ts';
import { ModelHub } from './model-hub.ts';
import { throughTinyproxy } from './proxy-machine.ts';
import { itTurnsTheRouteOff } from './route-off-view.ts';
import { itServesTools } from './tools-view.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');
const hub = new ModelHub();

given.describe("a first boot with a thin bundle, where only Debian's tinyproxy leads out", () => {
  let server: SealedPremises;
  let status: Status;

  beforeAll(async () => {
    const origins: Record<string, Origin> = {
      'hub.example.net': hub.answer,
      'git.example.net': answeredBy(await gitSite(join(await workFolder()))),
      'plain.example.net': (_asking, response) => response.end('from plain http\n'),
      'pypi.org': 'https://pypi.org',
      'files.pythonhosted.org': 'https://files.pythonhosted.org',
      'registry.npmjs.org': 'https://registry.npmjs.org',
    };
    const site = { mirrors: { hub: 'https://hub.example.net' } };
    const openWay: typeof throughTinyproxy = async (surroundings) => {
      const way = await throughTinyproxy(surroundings);
      return { ...way, site: { ...way.site, ...site } };
    };
    server = await SealedPremises.open(given, openWay, { origins });
    status = await server.comeUp();
  });
  afterAll(() => server?.close());

  describe('in the tools of its administrator', () =>
    itServesTools(
      () => server,
      () => hub,
    ));

  describe('in its route', () => itTurnsTheRouteOff(() => server));

  itComesUp(() => ({ server, status }), { hasProxy: true });
});
