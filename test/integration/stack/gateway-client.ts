import { randomBytes } from 'node:crypto';
import { type ClientRequest, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends requests to a gateway as a browser to which every name resolves. */
export class GatewayClient {
  readonly #address: string;
  readonly #authority: string;

  /** @param authority PEM of the trusted authority */
  constructor(address: string, authority: string) {
    this.#address = address;
    this.#authority = authority;
  }

  async ask(
    url: string,
    asked: Asked = {},
    onPiece: (piece: string) => void = () => {},
  ): Promise<Answer> {
    return await answerOf(this.#begin(new URL(url), asked), onPiece);
  }

  /** Opens a WebSocket. Returns 101 and its first message, or the rejection. */
  async upgrade(origin: string, from = origin): Promise<{ status: number; text: string }> {
    const url = new URL('/ws/socket.io/?EIO=4&transport=websocket', origin);
    const sent = this.#begin(url, {
      headers: {
        origin: from,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
      },
    });
    return await new Promise<{ status: number; text: string }>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, text: '' });
      });
      sent.once('upgrade', (_response, socket, head) => {
        const done = (bytes: Buffer) => {
          socket.destroy();
          resolve({ status: 101, text: bytes.toString('utf8') });
        };
        if (head.length > 0) done(head);
        else socket.once('data', done).once('close', () => done(Buffer.alloc(0)));
      });
    });
  }

  #begin(url: URL, { method = 'GET', headers, body }: Asked): ClientRequest {
    const options = {
      host: this.#address,
      path: url.pathname + url.search,
      method,
      headers: { host: url.host, ...headers },
      agent: false,
      timeout: 120_000,
    };
    const sent =
      url.protocol === 'http:'
        ? plainRequest(options)
        : secureRequest({
            ...options,
            servername: url.hostname,
            ca: this.#authority,
            // The default certificate pair names no host, so it cannot be verified.
            rejectUnauthorized: url.hostname.endsWith('.example.com'),
          });
    sent.once('timeout', () => sent.destroy(new Error(`${url.href} sends no further message`)));
    return sent.end(body);
  }
}

async function answerOf(sent: ClientRequest, onPiece: (piece: string) => void): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => {
        onPiece(piece.toString('utf8'));
        pieces.push(piece);
      });
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(pieces).toString('utf8') });
      });
    });
  });
}
