import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Pair } from '../../../appliance/server/certificates/pair.ts';

/** A problem document (RFC 8555, 6.7), with the status of the response. */
interface Problem {
  readonly status: number;
  /** The last part of the URN. */
  readonly type: string;
  readonly detail: string;
  /** Header `Retry-After`. */
  readonly retryAfter?: string;
}

/**
 * A proxy in front of Pebble that rejects orders with a problem of our choice: Pebble has no rate limits, and
 * reads no CAA records. All else passes.
 */
export class AuthorityFront {
  /** The problem of the next orders; undefined: they pass. */
  problem: Problem | undefined;
  readonly directory: string;
  readonly #server: Server;

  private constructor(server: Server, path: string) {
    const { address, port } = server.address() as AddressInfo;
    this.directory = `https://${address}:${port}${path}`;
    this.#server = server;
  }

  /**
   * @param upstream the directory of Pebble, and the certificate that verifies it
   * @param pair of this server, for `address`
   */
  static async start(
    upstream: { readonly directory: string; readonly ca: string },
    address: string,
    pair: Pair,
  ): Promise<AuthorityFront> {
    const target = new URL(upstream.directory);
    const server = createServer({ cert: pair.chain, key: pair.key });
    server.listen(0, address);
    await once(server, 'listening');
    const front = new AuthorityFront(server, target.pathname);
    server.on('request', async (incoming, outgoing) => {
      const body = await buffer(incoming);
      const { problem } = front;
      const isOrder = incoming.method === 'POST' && incoming.url === '/order-plz';
      const rejected = isOrder ? problem : undefined;
      // A rejection needs a new nonce as well (RFC 8555, 6.5).
      const [path, method] = rejected ? ['/nonce-plz', 'HEAD'] : [incoming.url, incoming.method];
      const sent = request(
        new URL(path ?? '/', target),
        { method, headers: incoming.headers, ca: upstream.ca, agent: false },
        (response) => {
          if (rejected === undefined) {
            outgoing.writeHead(response.statusCode ?? 502, response.headers);
            response.pipe(outgoing);
            return;
          }
          response.resume();
          const { status, type, detail, retryAfter } = rejected;
          outgoing.writeHead(status, {
            'content-type': 'application/problem+json',
            'replay-nonce': response.headers['replay-nonce'] ?? '',
            ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
          });
          outgoing.end(
            JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail, status }),
          );
        },
      );
      sent.once('error', () => outgoing.destroy());
      sent.end(rejected ? undefined : body);
    });
    return front;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
