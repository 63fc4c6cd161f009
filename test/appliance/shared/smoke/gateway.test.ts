import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayTests } from '../../../../appliance/shared/smoke/cases/gateway.ts';
import { outsideTarget } from './inside-target.ts';
import { resultOf } from './outcomes.ts';

let location = '';
const server = createServer((_request, response) => response.writeHead(301, { location }).end());
beforeAll(async () => await new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => server.close());

async function redirected(hosts: object, to: string) {
  location = to;
  const { port } = server.address() as AddressInfo;
  const target = outsideTarget({ hosts: { ui: 'chat.example.com', ...hosts } });
  const gatewayPorts = { http: port, https: port };
  return await resultOf('gateway-redirect', { ...target, gatewayPorts }, gatewayTests);
}

describe('the test of the redirect to HTTPS', () => {
  it('expects the port of the site', async () => {
    const outcome = async (to: string) => (await redirected({ port: 8443 }, to)).outcome;
    expect(await outcome('https://chat.example.com:8443/')).toBe('passed');
    expect(await outcome('https://chat.example.com/')).toBe('failed');
  });

  it('skips a site with port 80 closed', async () => {
    expect(await redirected({ http: false }, 'https://chat.example.com/')).toMatchObject({
      outcome: 'skipped',
    });
  });
});
