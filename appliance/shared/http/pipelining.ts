import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes the connection of a client that sends a request before the response to the previous one is
 * complete. Node runs all requests of a packet at once: 64 KiB hold 2000 requests, each with an open
 * file. Clients may have to repeat pipelined requests (RFC 9112, 9.3.2); those in use do not pipeline.
 */
export function rejectPipelining(listener: RequestListener): RequestListener {
  const busy = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
    listener(request, response);
  };
}
