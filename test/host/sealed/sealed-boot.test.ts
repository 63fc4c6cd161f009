import { afterAll, beforeAll } from 'vitest';
import type { Status } from '../../../appliance/progress/status.ts';
import { hostNeeds } from '../host-needs.ts';
import { SealedPremises } from './sealed-premises.ts';
import { itComesUp } from './sealed-view.ts';
import { throughSocksProxy } from './ways-out.ts';

const given = hostNeeds('debian13', 'registry', 'composePlugin');

/** `npm run test:routes` also tests an HTTP proxy and mirrors, with real proxies. */
given.describe('a first boot with a thin bundle, where only a SOCKS5 proxy leads out', () => {
  let server: SealedPremises;
  let status: Status;

  beforeAll(async () => {
    server = await SealedPremises.open(given, throughSocksProxy);
    status = await server.comeUp();
  });
  afterAll(() => server?.close());

  itComesUp(() => ({ server, status }), { hasProxy: true });
});
