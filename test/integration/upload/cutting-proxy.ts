import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards TCP connections, and cuts the first ones after some bytes of the client. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Connections that were cut. */
  cuts = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param limits bytes of the client after which each connection is cut; later ones are not cut */
  static async start(target: number, limits: readonly number[]): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server);
    const left = [...limits];
    server.on('connection', (client) => proxy.#forward(client, target, left.shift()));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #forward(client: Socket, target: number, limit = Number.POSITIVE_INFINITY): void {
    const upstream = connect(target, '127.0.0.1');
    let received = 0;
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy();
          upstream.destroy();
        });
    }
    client.on('data', (chunk) => {
      received += chunk.length;
      if (received <= limit || client.destroyed) return;
      this.cuts += 1;
      client.destroy();
    });
    client.pipe(upstream);
    upstream.pipe(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
