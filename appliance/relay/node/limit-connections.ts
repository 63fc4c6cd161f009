import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits the open connections. Above the limit, the connection closes that has waited longest for a
 * request: clients that send half a header cannot keep others out.
 */
export function limitConnections(server: Server, max: number): void {
  const waiting = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    waiting.add(socket);
    socket.once('close', () => {
      open -= 1;
      waiting.delete(socket);
    });
    if (open <= max) return;
    // Never empty: the new connection has no request yet.
    const [oldest = socket] = waiting;
    waiting.delete(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    waiting.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) waiting.add(socket);
    });
  });
}
