import { afterAll, beforeAll } from 'vitest';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { hostNeeds } from '../../host/host-needs.ts';
import { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { itComesUp } from '../../host/sealed/sealed-view.ts';
import { throughMicrosocks } from './proxy-machine.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

given.describe("a first boot with a thin bundle, where only Debian's microsocks leads out", () => {
  let server: SealedPremises;
  let status: Status;

  beforeAll(async () => {
    server = await SealedPremises.open(given, throughMicrosocks);
    status = await server.comeUp();
  });
  afterAll(() => server?.close());

  itComesUp(() => ({ server, status }), { hasProxy: true });
});
