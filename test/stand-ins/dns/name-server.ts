import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { answerQuery, type Zone } from './answer.ts';

/** A DNS server over UDP on loopback, which may lie. */
export interface NameServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  close(): void;
}

/** Starts a DNS server that answers from a zone. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    socket.send(answerQuery(query, zone), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port }: AddressInfo = socket.address();
  return { address: `127.0.0.1:${port}`, close: () => socket.close() };
}
