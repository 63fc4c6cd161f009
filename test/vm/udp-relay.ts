import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** Passes packets between one client and a port on this machine's loopback, and keeps their bytes. */
export class UdpRelay {
  readonly port: number;
  /** The port of the server; packets are dropped before it is set. */
  target: number | undefined;
  readonly #outer: Socket;
  readonly #inner: Socket;
  readonly #packets: Buffer[] = [];
  #client = 0;

  private constructor(outer: Socket, inner: Socket) {
    this.#outer = outer;
    this.#inner = inner;
    this.port = outer.address().port;
    outer.on('message', (packet, { port }) => {
      this.#client = port;
      this.#packets.push(packet);
      if (this.target !== undefined) inner.send(packet, this.target, '127.0.0.1');
    });
    inner.on('message', (packet) => {
      this.#packets.push(packet);
      if (this.#client > 0) outer.send(packet, this.#client, '127.0.0.1');
    });
  }

  static async start(): Promise<UdpRelay> {
    const sockets = [createSocket('udp4'), createSocket('udp4')] as const;
    for (const socket of sockets) {
      socket.bind(0, '127.0.0.1');
      await once(socket, 'listening');
    }
    return new UdpRelay(...sockets);
  }

  /** All bytes so far. */
  get seen(): Buffer {
    return Buffer.concat(this.#packets);
  }

  close(): void {
    this.#outer.close();
    this.#inner.close();
  }
}
