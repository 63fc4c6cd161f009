import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { callEndpoint } from '../../../../appliance/shared/smoke/endpoint.ts';
import { upgradeStatus } from '../../../../appliance/shared/smoke/web-socket.ts';
import { portOf } from './closing-servers.ts';

describe('an upgrade', () => {
  it('reports an accepted upgrade', async () => {
    const server = createServer().on('upgrade', (_request, socket) => {
      socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await upgradeStatus({ base: `http://127.0.0.1:${port}` })).toBe(101);
    server.close();
  });

  it('reports the status of a page that accepts no upgrade', async () => {
    const port = await portOf(() => new Response('<html></html>'));
    const endpoint = { base: `http://front-end.example:${port}`, address: '127.0.0.1' };
    expect(await upgradeStatus(endpoint)).toBe(200);
  });

  it('sends an upgrade to the port of a preview instead of that of the URL', async () => {
    const http = await portOf(() => new Response('<html></html>'));
    const ports = { http, https: 1 };
    const endpoint = { base: 'http://front-end.example', address: '127.0.0.1', ports };
    expect(await upgradeStatus(endpoint)).toBe(200);
    expect((await callEndpoint(endpoint, '/')).status).toBe(200);
  });
});
