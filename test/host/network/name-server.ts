import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Server } from 'node:net';
import type { Addresses } from './network.ts';

const types = { A: 1, AAAA: 28 } as const;
const answered = 0x8580;
const noSuchName = 3;
const lifetimeSeconds = 5;

/**
 * A name server with a fixed list of names, over UDP and TCP. It answers all other queries with
 * NXDOMAIN.
 */
export class NameServer {
  readonly #names = new Map<string, Partial<Addresses>>();
  readonly #sockets: Socket[] = [];
  readonly #servers: Server[] = [];

  #add(socket: Socket, server: Server): void {
    this.#sockets.push(socket);
    this.#servers.push(server);
    socket.on('message', (query, from) => {
      const answer = this.#answer(query);
      if (answer) socket.send(answer, from.port, from.address);
    });
    // Each message has a prefix with its length (RFC 1035, section 4.2.2).
    server.on('connection', (stream) => {
      let rest = Buffer.alloc(0);
      stream.on('error', () => stream.destroy());
      stream.on('data', (chunk: Buffer) => {
        rest = Buffer.concat([rest, chunk]);
        while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
          const end = 2 + rest.readUInt16BE(0);
          const answer = this.#answer(rest.subarray(2, end));
          rest = rest.subarray(end);
          if (!answer) return void stream.destroy();
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          stream.write(Buffer.concat([length, answer]));
        }
      });
    });
  }

  /** Listens on port 53 of each address. */
  static async start(...addresses: string[]): Promise<NameServer> {
    const names = new NameServer();
    for (const address of addresses) {
      const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject).bind(53, address, resolve);
      });
      const server = createServer();
      await once(server.listen(53, address), 'listening');
      names.#add(socket, server);
    }
    return names;
  }

  /** Sets the addresses of a name. A name without addresses does not exist. */
  set(name: string, addresses: Partial<Addresses> | undefined): void {
    if (addresses) this.#names.set(name, addresses);
    else this.#names.delete(name);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    const closed = this.#sockets.map(
      (socket) => new Promise<void>((resolve) => socket.close(() => resolve())),
    );
    await Promise.all(closed);
  }

  /**
   * Builds the response to a query with one question and at most one answer (RFC 1035, section
   * 4.1).
   */
  #answer(query: Buffer): Buffer | undefined {
    const question = readQuestion(query);
    if (!question) return undefined;
    const { name, type, end } = question;
    const known = this.#names.get(name);
    const data = known && dataOf(known, type);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(answered | (known ? 0 : noSuchName), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(data ? 1 : 0, 6);
    const parts = [head, query.subarray(12, end)];
    if (data) parts.push(record(type, data));
    return Buffer.concat(parts);
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let size = query[at]; size !== undefined && size > 0; size = query[at]) {
    labels.push(query.subarray(at + 1, at + 1 + size).toString('latin1'));
    at += 1 + size;
  }
  const end = at + 5;
  if (end > query.length) return undefined;
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end };
}

function dataOf({ v4, v6 }: Partial<Addresses>, type: number): Buffer | undefined {
  if (type === types.A && v4) return Buffer.from(v4.split('.').map(Number));
  if (type === types.AAAA && v6) return ipv6Bytes(v6);
  return undefined;
}

function ipv6Bytes(text: string): Buffer {
  const [left = [], right = []] = text.split('::').map((side) => side.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...left, ...zeros, ...right].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  }
  return bytes;
}

/** The name is a pointer to the one in the question (RFC 1035, section 4.1.4). */
function record(type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(0xc00c, 0);
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt32BE(lifetimeSeconds, 6);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}
