import type { Server } from 'node:http';
import { isIPv4, type Socket } from 'node:net';

/** Numbers of open connections. */
interface ConnectionLimits {
  readonly max: number;
  readonly maxPerClient: number;
}

/**
 * Limits the open connections, so that clients that do not read cannot lock out the others. Above the
 * limit of a client, its new connection is closed. Above the limit of all, the oldest connection closes
 * of the client that has most, or the new one if each client has only one.
 */
export function limitConnections(server: Server, { max, maxPerClient }: ConnectionLimits): void {
  const open = new Map<string, Set<Socket>>();
  let total = 0;
  server.on('connection', (socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const own = open.get(client) ?? new Set();
    if (own.size >= maxPerClient) {
      socket.destroy();
      return;
    }
    open.set(client, own.add(socket));
    total += 1;
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) open.delete(client);
      total -= 1;
    });
    if (total > max) (oldestOfLargest(open) ?? socket).destroy();
  });
}

/** Returns the oldest connection of the client that has most; undefined if each has only one. */
function oldestOfLargest(open: ReadonlyMap<string, ReadonlySet<Socket>>): Socket | undefined {
  const sorted = [...open.values()].sort((one, other) => other.size - one.size);
  const [largest = new Set()] = sorted;
  return largest.size > 1 ? [...largest][0] : undefined;
}

/** Returns the address, or the /64 network of an IPv6 address: a host can use all addresses of it. */
function clientOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:/i, '');
  if (isIPv4(ipv4)) return ipv4;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Math.max(8 - (first?.length ?? 0) - (last?.length ?? 0), 0);
  return [...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])]
    .slice(0, 4)
    .join(':');
}
