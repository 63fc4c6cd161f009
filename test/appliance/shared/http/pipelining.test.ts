import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { rejectPipelining } from '#http/pipelining.ts';

const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
let server: Server;
let requests = 0;
afterEach(() => server.close());

/** Connects to a server that answers a request in a later turn, as one that reads a file. */
async function connected(): Promise<Socket> {
  requests = 0;
  const listener = rejectPipelining((_request, response) => {
    requests += 1;
    setImmediate(() => response.end('answer'));
  });
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return connect((server.address() as AddressInfo).port, '127.0.0.1');
}

describe('rejectPipelining', () => {
  it('runs one of many requests that arrive together, and closes the connection', async () => {
    const socket = await connected();
    socket.write(get.repeat(2000));
    expect(await text(socket).catch(() => '')).not.toContain('answer');
    expect(requests).toBe(1);
  });

  it('answers the requests of a client that waits for each response', async () => {
    const socket = await connected();
    for (const count of [1, 2, 3]) {
      socket.write(get);
      const [chunk] = await once(socket, 'data');
      expect(String(chunk)).toContain('answer');
      expect(requests).toBe(count);
    }
    socket.destroy();
  });
});
