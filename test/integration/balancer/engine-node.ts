import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { engineNodePath } from '#contract/site/engines/engine-node.ts';

/** How a node answers a request that generates; `index` counts its requests from 0. */
type Answer = (request: IncomingMessage, response: ServerResponse, index: number) => unknown;

interface NodeSettings {
  /** A loopback address. */
  readonly address?: string;
  readonly models?: readonly string[];
  /** PEM. Default: plain HTTP. With `ca`, clients need a certificate of this authority. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string };
  /** Of a Landfall node. */
  readonly release?: string;
  /** Milliseconds of a generation. */
  readonly pace?: number;
  readonly answer?: Answer;
  /** Answer to the list of models, which HAProxy checks. */
  readonly tags?: Answer;
}

/** The digest of a model that a node lists, which is made of its name. */
export function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/** In the order of Ollama (`api.ListModelResponse`). */
function listedModel(name: string) {
  return {
    ...{ name, model: name, modified_at: '2026-01-01T00:00:00Z', size: 1000 },
    ...{ digest: digestOf(name), details: { family: 'qwen3', families: ['qwen3'] } },
  };
}

/** Ollama on a loopback address rejects requests for other names (`allowedHostsMiddleware`). */
function isAllowedHost(host = ''): boolean {
  const name = host.replace(/:\d+$/, '');
  return ['', 'localhost', '127.0.0.1'].includes(name);
}

/** A stand-in for Ollama with a fixed pace, which counts what it gets. */
export class EngineNode {
  readonly #settings: NodeSettings;
  readonly #server;
  /** Requests that generated, by chat; those without a chat are not listed. */
  readonly chats: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly paths: string[] = [];
  active = 0;
  peak = 0;
  /** Bytes of the last body. */
  bytes = 0;
  port = 0;

  constructor(settings: NodeSettings = {}) {
    this.#settings = settings;
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      void this.#handle(request, response).catch(() => response.destroy());
    this.#server = settings.tls
      ? createTlsServer({ ...settings.tls, requestCert: settings.tls.ca !== undefined }, handle)
      : createServer(handle);
  }

  get url(): string {
    return `${this.#settings.tls ? 'https' : 'http'}://127.0.0.1:${this.port}`;
  }

  /** Requests that generated. */
  get count(): number {
    return this.headers.length;
  }

  /** Starts on a free port, or again on the same one. */
  async start(): Promise<this> {
    this.#server.listen(this.port, this.#settings.address ?? '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Ends at once, with every connection. */
  async kill(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { models = ['qwen3:8b'], tags, release } = this.#settings;
    const path = request.url ?? '';
    if (!isAllowedHost(request.headers.host)) return void response.writeHead(403).end();
    if (path === '/api/tags') {
      if (tags) return void (await tags(request, response, 0));
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify({ models: models.map(listedModel) }));
    }
    if (release !== undefined && path === engineNodePath) {
      return void response.end(JSON.stringify({ release }));
    }
    this.paths.push(path);
    if (path === '/api/version') return void response.end('{"version":"0.35.1"}');
    if (request.method !== 'POST' || path === '/api/show') return void response.end('{}');
    await this.#generate(request, response);
  }

  async #generate(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.active += 1;
    this.peak = Math.max(this.peak, this.active);
    response.once('close', () => {
      this.active -= 1;
    });
    const index = this.headers.push(request.headers) - 1;
    const body = await text(request);
    this.bytes = body.length;
    const { chat } = body.length < 1e6 ? JSON.parse(body) : {};
    if (chat !== undefined) this.chats.push(chat);
    if (this.#settings.answer) return void (await this.#settings.answer(request, response, index));
    const pace = this.#settings.pace ?? 60;
    for (let token = 0; token < 3; token += 1) {
      response.write(`${JSON.stringify({ response: 'word', done: false })}\n`);
      await wait(pace / 3);
    }
    response.end('{"done":true}\n');
  }
}
