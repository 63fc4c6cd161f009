import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { readAtMost } from '#contract/text/bytes.ts';
import { timedOut } from './socket-event.ts';

/** A request. Redirects are not followed. */
export interface Call {
  readonly url: URL;
  /** Default: GET. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Maximum bytes of the response body to read; default 0. */
  readonly maxBytes?: number;
}

/** A response with the beginning of its body. */
export interface Answer {
  readonly status: number;
  header(name: string): string | undefined;
  /** At most `maxBytes`. */
  readonly body: Buffer;
}

const maxHead = 16 * 1024;

/**
 * Sends a request over an open connection and closes it after the response.
 * @throws Error of the connection or of the HTTP parser; `code` is ETIMEDOUT after the timeout
 */
export async function exchangeOver(socket: Socket, call: Call, timeout: number): Promise<Answer> {
  const { url, method = 'GET', headers = {}, body, maxBytes = 0 } = call;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    maxHeaderSize: maxHead,
    headers: {
      host: url.host,
      'user-agent': 'landfall',
      'accept-encoding': 'identity',
      connection: 'close',
      ...headers,
      ...(body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }),
    },
  });
  sent.on('error', reject).on('response', resolve);
  // A protocol switch is not a response to this request.
  sent.on('upgrade', () => reject(Object.assign(new Error('upgrade'), { code: 'HPE_REFUSED' })));
  const timer = setTimeout(() => {
    reject(timedOut());
    socket.destroy(timedOut());
  }, timeout);
  sent.end(body);
  try {
    const answer = await promise;
    answer.on('error', () => {});
    return {
      status: answer.statusCode ?? 0,
      header: (name) => [answer.headers[name]].flat().join(', ') || undefined,
      body: maxBytes === 0 ? Buffer.alloc(0) : Buffer.from(await readAtMost(answer, maxBytes)),
    };
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
