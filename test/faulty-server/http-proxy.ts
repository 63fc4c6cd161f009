import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ProxyOptions {
  readonly login?: string;
  readonly refusal?: number;
  readonly silent?: boolean;
  readonly names?: Readonly<Record<string, string>>;
}

/** A proxy on loopback: CONNECT tunnels, plain requests, optional login. */
export class HttpProxy {
  readonly url: string;
  /** Request lines: `CONNECT host:port`, `GET http://…`. */
  readonly asked: string[] = [];
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  /**
   * `login` is `user:password`; `refusal` is the status of every CONNECT; `names` are resolved to
   * addresses.
   */
  static async start(options: ProxyOptions = {}) {
    const server = createServer();
    const sockets = new Set<Duplex>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const proxy = new HttpProxy(`http://127.0.0.1:${port}`, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const isWelcome = (asking: IncomingMessage) =>
      options.login === undefined ||
      asking.headers['proxy-authorization'] ===
        `Basic ${Buffer.from(options.login).toString('base64')}`;
    server.on('connect', (asking: IncomingMessage, client: Socket) => {
      proxy.asked.push(`CONNECT ${asking.url}`);
      if (options.silent === true) return;
      const refusal = isWelcome(asking) ? options.refusal : 407;
      if (refusal !== undefined) client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
      else tunnel(asking.url ?? '', client, sockets, options.names);
    });
    server.on('request', (asking: IncomingMessage, response: ServerResponse) => {
      proxy.asked.push(`${asking.method} ${asking.url}`);
      if (isWelcome(asking)) forward(asking, response, options.names);
      else response.writeHead(407).end();
    });
    return proxy;
  }

  close(): Promise<void> {
    return this.#close();
  }
}

function tunnel(
  target: string,
  client: Socket,
  sockets: Set<Duplex>,
  names: ProxyOptions['names'] = {},
): void {
  const [host = '', port] = target.split(':');
  const upstream = connect(Number(port), names[host] ?? host, () => {
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    upstream.pipe(client).pipe(upstream);
  });
  sockets.add(upstream);
  upstream.on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
}

function forward(
  asking: IncomingMessage,
  response: ServerResponse,
  names: ProxyOptions['names'] = {},
): void {
  const { 'proxy-authorization': _login, ...headers } = asking.headers;
  const url = new URL(asking.url ?? '');
  url.hostname = names[url.hostname] ?? url.hostname;
  const upstream = request(url, { method: asking.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.writeHead(502).end());
  asking.pipe(upstream);
}
