import {
  createServer as createPlain,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/*
 * A web server on loopback that misbehaves on demand, for faults that a real server cannot produce.
 *
 *   const server = await FaultyServer.start({
 *     '/blob': inTurn(status(503), cutAfter(1000, bytes), serve(bytes)),   // first, second, later
 *     '/moved': redirect('https://elsewhere.example/'),
 *   });
 *   await client.send({ url: server.url('/blob') });
 *   server.seen('/blob').map(({ headers }) => headers.range);              // the requests
 *   await server.close();
 *
 * Routes are exact paths without the query; other paths get 404. A single handler instead of routes
 * handles all requests. `faults.ts` has ready-made handlers; a custom handler gets Node's request
 * and response, and the number of the request to this path, from 1.
 */

export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** 1 for the first request to this path. */
  readonly count: number;
}

export type Handler = (visit: Visit) => void | Promise<void>;
export type Routes = Readonly<Record<string, Handler>>;

/** A received request. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ServerOptions {
  /** PEM; enables https. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

export class FaultyServer {
  readonly origin: string;
  /** Maximum number of concurrent responses. */
  peak = 0;
  readonly #close: () => Promise<void>;
  readonly #answer: { handler: Handler };
  readonly #seen: Seen[] = [];
  #open = 0;

  private constructor(origin: string, answer: { handler: Handler }, close: () => Promise<void>) {
    this.origin = origin;
    this.#answer = answer;
    this.#close = close;
  }

  static async start(routes: Handler | Routes, options: ServerOptions = {}): Promise<FaultyServer> {
    const answer: { handler: Handler } = { handler: () => {} };
    const listener = (request: IncomingMessage, response: ServerResponse) =>
      server.#receive(request, response);
    const { tls } = options;
    const listening = tls === undefined ? createPlain(listener) : createSecure(tls, listener);
    // No server timeouts, so that only the timeouts of the client matter.
    listening.keepAliveTimeout = 0;
    const sockets = new Set<Socket>();
    listening.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const { port } = listening.address() as AddressInfo;
    const scheme = tls === undefined ? 'http' : 'https';
    const server = new FaultyServer(`${scheme}://127.0.0.1:${port}`, answer, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listening.close(resolve));
    });
    server.answer(routes);
    return server;
  }

  /** Replaces the routes at runtime, for handlers that need the server's address. */
  answer(routes: Handler | Routes): void {
    this.#answer.handler = typeof routes === 'function' ? routes : router(routes);
  }

  url(path: string): URL {
    return new URL(path, this.origin);
  }

  /** `host:port`. */
  get host(): string {
    return this.url('/').host;
  }

  /** The requests so far, all or for one path. */
  seen(path?: string): readonly Seen[] {
    return this.#seen.filter((request) => path === undefined || request.path === path);
  }

  /** Closes all connections and stops. */
  close(): Promise<void> {
    return this.#close();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    this.#seen.push({ method: request.method ?? '', path: url.pathname, headers: request.headers });
    const count = this.seen(url.pathname).length;
    this.#open += 1;
    this.peak = Math.max(this.peak, this.#open);
    // `finish` fires before the client has read the end, `close` only for an aborted response.
    const ended = new AbortController();
    ended.signal.addEventListener('abort', () => {
      this.#open -= 1;
    });
    response.on('finish', () => ended.abort()).on('close', () => ended.abort());
    response.on('error', () => {});
    await this.#answer.handler({ request, response, url, count });
  }
}

function router(routes: Routes): Handler {
  return (visit) => {
    const handler = routes[visit.url.pathname];
    if (handler !== undefined) return handler(visit);
    visit.response.writeHead(404).end();
    return undefined;
  };
}
