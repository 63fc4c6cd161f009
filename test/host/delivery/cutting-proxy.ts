import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server that breaks: each connection is cut after a number of bytes to the server. */
export class CuttingProxy {
  readonly port: number;
  /** Cuts that have happened. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /**
   * Listens on loopback.
   * @param cutsAfter bytes after which the first connections are cut, in their order; later ones hold
   */
  static async start(
    target: { host: string; port: number },
    cutsAfter: readonly number[],
  ): Promise<CuttingProxy> {
    const left = [...cutsAfter];
    const server = createServer((client) => {
      const limit = left.shift() ?? Number.POSITIVE_INFINITY;
      const upstream = connect(target);
      let sent = 0;
      const cut = () => {
        client.destroy();
        upstream.destroy();
      };
      for (const socket of [client, upstream]) {
        proxy.#sockets.add(socket);
        socket.on('error', cut).on('close', () => {
          proxy.#sockets.delete(socket);
          cut();
        });
      }
      upstream.pipe(client);
      client.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        if (sent < limit) {
          if (!upstream.write(chunk)) client.pause();
          return;
        }
        proxy.cuts += 1;
        cut();
      });
      upstream.on('drain', () => client.resume());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const proxy = new CuttingProxy(server);
    return proxy;
  }

  /** Cuts every open connection. */
  cutAll(): void {
    this.cuts += 1;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
