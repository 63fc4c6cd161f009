import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Handles a request in the style of fetch; an exception becomes a 500. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** Serves a handler over HTTP. Port 0 selects a free one. */
export async function serve(handler: Handler, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => void answer(handler, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return server;
}

async function answer(
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const response = await handler(requestOf(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body && incoming.method !== 'HEAD') {
      await pipeline(Readable.fromWeb(response.body as never), outgoing);
    } else outgoing.end();
  } catch (error) {
    if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
    outgoing.end(outgoing.writable ? `${error}\n` : undefined);
  }
}

function requestOf(incoming: IncomingMessage): Request {
  const method = incoming.method ?? 'GET';
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  const bodyless = method === 'GET' || method === 'HEAD';
  return new Request(`http://${incoming.headers.host ?? 'localhost'}${incoming.url}`, {
    method,
    headers,
    ...(bodyless ? {} : { body: Readable.toWeb(incoming) as never, duplex: 'half' }),
  });
}
