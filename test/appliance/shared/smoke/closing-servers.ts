import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { type Handler, serve } from '../../../stand-ins/serve.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Listens on a free loopback port until the test ends. @returns the port */
export async function portOf(handler: Handler): Promise<number> {
  const server = await serve(handler, '127.0.0.1', 0);
  servers.push(server);
  return (server.address() as AddressInfo).port;
}
