import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { proveSocks } from '../../../../../appliance/stages/route/socks/socks.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const addresses = (...local: readonly string[]) =>
  JSON.stringify([
    { ifname: 'eth0', addr_info: local.map((each) => ({ family: 'inet', local: each })) },
  ]);

let server: Server | undefined;
afterEach(() => server?.close());

/** Starts a server that answers the first message with these bytes. Returns its port. */
async function answering(...bytes: readonly number[]): Promise<number> {
  server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.from(bytes)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function contextAt(port: number, listen = '127.0.0.1') {
  const host = TemporaryHost.with({}, { 'ip -json address': addresses('203.0.113.7') });
  const allow = ['10.8.0.0/24'];
  return contextFor(host, { site: { socks: { port, listen, allow } } });
}

describe('the test of the SOCKS5 server', () => {
  it('does nothing without one', async () => {
    const context = contextFor(TemporaryHost.with({}));
    await proveSocks(context);
    expect(context.warned).toEqual([]);
  });

  it('accepts a server on loopback without a login', async () => {
    const context = contextAt(await answering(5, 0));
    await proveSocks(context);
    expect(context.warned).toEqual([]);
  });

  it.each([
    ['a login on loopback', [5, 0xff]],
    ['another protocol', [0x48, 0x54]],
  ])('rejects %s: another program uses the port', async (_, bytes) => {
    await expect(proveSocks(contextAt(await answering(...bytes)))).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      retriable: false,
    });
  });

  it('rejects a server that does not listen', async () => {
    const port = await answering(5, 0);
    server?.close();
    await expect(proveSocks(contextAt(port))).rejects.toMatchObject({
      message: `the SOCKS5 server does not listen at 127.0.0.1:${port}`,
    });
  });

  it('warns while the server does not have the address', async () => {
    const context = contextAt(7891, '10.8.0.1');
    await proveSocks(context);
    expect(context.warned).toEqual([expect.stringContaining('waits for its address 10.8.0.1')]);
  });
});
