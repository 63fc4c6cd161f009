import { once } from 'node:events';
import { type ClientRequest, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** Behaviour of both sides: send endlessly and read nothing, or wait forever. */
export type Flood = 'answers that no client reads' | 'uploads that no provider reads';

/** Starts a provider for a flood. Returns its base URL, and a function that stops it. */
export async function floodingProvider(flood: Flood, host: string) {
  const server = createServer((incoming, outgoing) => {
    incoming.pause();
    outgoing.on('error', () => {});
    if (flood === 'answers that no client reads') void Readable.from(endless()).pipe(outgoing);
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { base: `http://${host}:${port}/v1`, close };
}

/** Starts clients for a flood, which use the keys in turn. */
export class FloodingClients {
  /** Number of rejected clients: with status 503, or disconnected before its response. */
  readonly away = new Set<number>();
  readonly #sent: readonly ClientRequest[];

  constructor(flood: Flood, count: number, url: string, keys: readonly string[]) {
    const upload = flood === 'uploads that no provider reads';
    this.#sent = Array.from({ length: count }, (_, index) => {
      const authorization = `Bearer ${keys[index % keys.length]}`;
      const headers = upload ? { authorization, 'content-length': 2 ** 25 } : { authorization };
      const options = { method: 'POST', agent: false, headers };
      const one = request(`${url}/v1/chat/completions`, options);
      one.on('error', () => this.away.add(index));
      one.on('response', (response) => {
        if (response.statusCode === 503) this.away.add(index);
        response.on('error', () => {}).pause();
      });
      if (upload) void Readable.from(endless()).pipe(one);
      else one.end('{}');
      return one;
    });
  }

  close(): void {
    for (const one of this.#sent) one.destroy();
  }
}

function* endless(): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (;;) yield piece;
}
