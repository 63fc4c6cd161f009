import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { installedMark } from '#contract/server-paths.ts';
import { proveDns } from '../../../../../appliance/stages/route/dns/prove-dns.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const closing: Array<() => void> = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a DNS server that answers every query with this code (RFC 1035, 4.1.1). Returns its port. */
async function serverWith(code: number): Promise<number> {
  const socket = createSocket('udp4', (query, { port, address }) => {
    const reply = Buffer.from(query);
    reply.writeUInt16BE(0x8180 | code, 2);
    socket.send(reply, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  closing.push(() => socket.close());
  return socket.address().port;
}

/** A site with servers that the schema would reject: tests use loopback only. */
function contextWith(nameserver: readonly string[], { tls = false, files = {} } = {}) {
  const context = contextFor(TemporaryHost.with(files));
  return {
    ...context,
    site: { ...context.site, dns: { nameserver: [...nameserver], search: [], tls } },
  };
}

describe('the test of DNS servers', () => {
  it('does nothing without servers', async () => {
    const context = contextFor(TemporaryHost.with({}));
    await proveDns(context);
    expect(context.warned).toEqual([]);
  });

  it.each([0, 2, 3, 5])('accepts an answer with the code %i', async (code) => {
    const context = contextWith(['127.0.0.1']);
    await proveDns(context, await serverWith(code));
    expect(context.warned).toEqual([]);
  });

  it('fails if no server answers', async () => {
    const port = await serverWith(3);
    for (const close of closing.splice(0)) close();
    await expect(proveDns(contextWith(['127.0.0.1']), port)).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      message: 'no DNS server answers: 127.0.0.1',
    });
  });

  it('warns about one of two servers, and on an installed server about all', async () => {
    const port = await serverWith(3);
    const context = contextWith(['127.0.0.2', '127.0.0.1']);
    await proveDns(context, port);
    expect(context.warned).toEqual(['the DNS server 127.0.0.2 does not answer']);
    const installed = contextWith(['127.0.0.2'], { files: { [installedMark]: '' } });
    await proveDns(installed, port);
    expect(installed.warned).toHaveLength(1);
  });

  it('connects over TCP with DNS over TLS', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const context = contextWith(['127.0.0.1'], { tls: true });
    await proveDns(context, port);
    expect(context.warned).toEqual([]);
  });
});
