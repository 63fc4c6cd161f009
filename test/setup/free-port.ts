import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns a TCP port of a loopback address on which no program listens. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
