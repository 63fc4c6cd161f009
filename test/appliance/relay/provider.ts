import { EventEmitter, once } from 'node:events';
import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';

export const providerKey = 'sk-provider-0123456789abcdef';

/** A request that the provider received. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** How a test responds to one request. */
export type Answer = (response: ServerResponse, asked: Asked) => void | Promise<void>;

/**
 * A provider with OpenAI's API on loopback. It requires its key and JSON and streams word by word.
 * `next` overrides its next response.
 */
export class Provider {
  readonly asked: Asked[] = [];
  readonly port: number;
  readonly #secure: boolean;
  readonly #answer: Answer;
  readonly #events = new EventEmitter();
  readonly #next: Answer[] = [];
  readonly #close: () => Promise<void>;

  private constructor(port: number, secure: boolean, answer: Answer, close: () => Promise<void>) {
    this.port = port;
    this.#secure = secure;
    this.#answer = answer;
    this.#close = close;
  }

  /**
   * @param tls PEM; makes it an https server
   * @param host address to listen on
   * @param answer responds unless the test overrides it; by default OpenAI's API
   */
  static async start(
    tls?: { key: string; cert: string },
    host = '127.0.0.1',
    answer: Answer = answerAsOpenai,
  ): Promise<Provider> {
    const listener: RequestListener = (request, response) => {
      void provider.#serve(request, response).catch(() => response.destroy());
    };
    const server = tls ? createSecure(tls, listener) : createPlain(listener);
    server.listen(0, host);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const provider = new Provider(port, tls !== undefined, answer, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return provider;
  }

  /** API base with a host name that only the proxy resolves. */
  base(host = '127.0.0.1', root = '/v1'): string {
    return `http${this.#secure ? 's' : ''}://${host}:${this.port}${root}`;
  }

  /** Overrides the next response. */
  answerNext(answer: Answer): void {
    this.#next.push(answer);
  }

  /** Waits until a client disconnects before its response is complete. */
  async clientLeft(): Promise<void> {
    await once(this.#events, 'left');
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableFinished) this.#events.emit('left');
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const asked = { method, url, headers, body: Buffer.concat(chunks) };
    this.asked.push(asked);
    await (this.#next.shift() ?? this.#answer)(response, asked);
  }
}

/** Sends JSON. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    const body = Buffer.from(JSON.stringify(value));
    const own = { 'content-type': 'application/json', 'content-length': body.length };
    response.writeHead(status, { ...own, ...headers }).end(body);
  };
}

/** Starts an event stream that the test writes. */
export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

function answerAsOpenai(response: ServerResponse, asked: Asked): void | Promise<void> {
  const { method, url, headers, body } = asked;
  if (headers.authorization !== `Bearer ${providerKey}`) {
    return json(401, { error: { message: `Incorrect API key: ${headers.authorization}` } })(
      response,
      asked,
    );
  }
  if (method === 'GET' && url === '/v1/models') {
    const model = { id: 'tiny', object: 'model', created: 1, owned_by: 'test' };
    return json(200, { object: 'list', data: [model] })(response, asked);
  }
  if (method === 'POST' && url === '/v1/chat/completions') {
    const { stream, messages } = JSON.parse(body.toString());
    const words: string[] = messages.at(-1).content.split(' ');
    return stream ? streamWords(response, words) : completeWords(response, asked, words);
  }
  return json(404, { error: { message: `no ${url}`, type: 'invalid_request_error' } })(
    response,
    asked,
  );
}

function completeWords(response: ServerResponse, asked: Asked, words: readonly string[]) {
  const message = { role: 'assistant', content: words.join(' ') };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const answer = { id: 'c1', object: 'chat.completion', created: 1, model: 'tiny', choices };
  return json(200, answer)(response, asked);
}

async function streamWords(response: ServerResponse, words: readonly string[]): Promise<void> {
  beginStream(response);
  for (const content of words) response.write(event({ delta: { content } }));
  response.write(event({ delta: {}, finish_reason: 'stop' }));
  response.end('data: [DONE]\n\n');
}

/** One event of a streamed completion. */
export function event(choice: object): string {
  const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'tiny' };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
}
