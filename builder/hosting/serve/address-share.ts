import type { Server } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * Limits the connections of each client, so that one that does not read cannot lock out the others.
 * Further connections of it are closed at once.
 */
export function limitPerClient(server: Server, maxPerClient: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const count = (open.get(client) ?? 0) + 1;
    if (count > maxPerClient) {
      socket.destroy();
      return;
    }
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) ?? 0) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
  });
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
