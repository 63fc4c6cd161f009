import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A webhook on loopback that records the requests. */
export class Webhook {
  readonly told: { path: string; method: string; headers: IncomingHttpHeaders; body: string }[] =
    [];
  /** Contains a token in its path, as with many services. */
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/token-in-the-path`;
  }

  /** Starts a webhook that returns this status; `silent` never responds. */
  static async start(status: number | 'silent' = 200): Promise<Webhook> {
    const server = createServer(async (request, response) => {
      const { url = '', method = '', headers } = request;
      webhook.told.push({ path: url, method, headers, body: await text(request) });
      if (status !== 'silent') response.writeHead(status).end('a'.repeat(1 << 20));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const webhook = new Webhook(server);
    return webhook;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
