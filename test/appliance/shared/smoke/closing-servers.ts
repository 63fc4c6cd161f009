import type { AddressInfo } from 'node:net';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { type Handler, serve } from '../../../stand-ins/serve.ts';

/** Listens on a free loopback port until the test ends. @returns the port */
export async function portOf(handler: Handler): Promise<number> {
  const server = await serve(handler, '127.0.0.1', 0);
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
