import { Resolver } from 'node:dns/promises';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { trustContext } from '#http/certificates.ts';
import type { ProbeNetwork } from '../../../../appliance/shared/probe/exchange/network.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { FaultyServer, type Handler, type Routes } from '../../../faulty-server/faulty-server.ts';
import { HttpProxy, type ProxyOptions } from '../../../faulty-server/http-proxy.ts';
import { SocksProxy } from '../../../faulty-server/socks-proxy.ts';
import type { Zone } from '../../../stand-ins/dns/answer.ts';
import { startNameServer } from '../../../stand-ins/dns/name-server.ts';

/** The host name of the provider in tests. */
export const host = 'api.provider.test';

const authority = new CertificateAuthority();
const context = trustContext([authority.cert]);

/** Servers on loopback, and a network whose names come from a DNS server on loopback. */
export class ProbeRig {
  readonly #ends: (() => unknown)[] = [];

  /** Returns a network that resolves names with this zone, over UDP. */
  async network(zone: Zone, limits = { connect: 60_000, answer: 60_000 }): Promise<ProbeNetwork> {
    const server = await startNameServer(zone);
    this.#ends.push(() => server.close());
    const resolver = new Resolver({ timeout: 20_000, tries: 1 });
    resolver.setServers([server.address]);
    return {
      lookup: async (name) =>
        (await resolver.resolve4(name)).map((address) => ({ address, family: 4 })),
      trust: () => context,
      limits,
    };
  }

  /** Starts a server at 127.0.0.1 with a certificate for these names. */
  async secure(routes: Handler | Routes, names = [host]): Promise<FaultyServer> {
    const server = await FaultyServer.start(routes, { tls: authority.issue({ names }) });
    this.#ends.push(() => server.close());
    return server;
  }

  async plain(routes: Handler | Routes): Promise<FaultyServer> {
    const server = await FaultyServer.start(routes);
    this.#ends.push(() => server.close());
    return server;
  }

  /** Starts a server at 127.0.0.2 with a certificate for another name. Returns its port. */
  async impostor(port: number): Promise<void> {
    const tls = authority.issue({ names: ['elsewhere.test'], addresses: ['127.0.0.2'] });
    await this.#listen(
      createSecure(tls, (_, response) => response.end('{}')),
      port,
      '127.0.0.2',
    );
  }

  /** Starts a TCP server. Returns its port. */
  async raw(onSocket: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => onSocket(socket.on('error', () => {})));
    return await this.#listen(server);
  }

  /** Accepts connections and never sends a byte. */
  blackHole(): Promise<number> {
    return this.raw((socket) => socket.resume());
  }

  async httpProxy(options: ProxyOptions = {}): Promise<HttpProxy> {
    const proxy = await HttpProxy.start(options);
    this.#ends.push(() => proxy.close());
    return proxy;
  }

  async socksProxy(options: Parameters<typeof SocksProxy.start>[0] = {}): Promise<SocksProxy> {
    const proxy = await SocksProxy.start(options);
    this.#ends.push(() => proxy.close());
    return proxy;
  }

  async close(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  async #listen(server: Server, port = 0, address = '127.0.0.1'): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(port, address, resolve));
    this.#ends.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }
}
