import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { sha256Hex } from '#contract/trust/digest.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';

/** Handles a pull request: writes lines, and may add the model to the list. */
export type Pulling = (line: (value: unknown) => void, response: ServerResponse) => unknown;

const pullSchema = z.strictObject({
  model: z.string(),
  stream: z.literal(true),
  insecure: z.literal(true).optional(),
});
const copySchema = z.strictObject({ source: z.string(), destination: z.string() });
const deleteSchema = z.strictObject({ model: z.string() });

/**
 * A strict stand-in for the part of Ollama's API that manages models: it rejects unknown paths and
 * fields. The test defines the pulls.
 */
export class SmallEngine {
  /** Additional folder with manifests, as in Ollama: `…/models`. */
  store = '';
  /** Digests without prefix by name. They take precedence over those in the store. */
  readonly models = new Map<string, string>();
  /** `POST /api/pull {"model":"x:1b"}` and so on, in order. */
  readonly asked: string[] = [];
  readonly port: number;
  readonly #server: Server;
  #pulls: Pulling[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<SmallEngine> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const engine = new SmallEngine(server);
    afterThisTest(() => engine.close());
    return engine;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Sets the handlers of the next pulls. The last one is repeated. */
  onPull(...pulls: Pulling[]): void {
    this.#pulls = pulls;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const route = `${request.method} ${request.url}`;
    this.asked.push([route, body].filter(Boolean).join(' '));
    try {
      this.#act(route, body, response);
    } catch (error) {
      json(response, 400, { error: String(error) });
    }
  }

  #act(route: string, body: string, response: ServerResponse): void {
    if (route === 'GET /api/tags') json(response, 200, { models: this.#list() });
    else if (route === 'POST /api/pull') {
      pullSchema.parse(JSON.parse(body));
      this.#pull(response);
    } else if (route === 'POST /api/copy') {
      this.#copy(copySchema.parse(JSON.parse(body)), response);
    } else if (route === 'DELETE /api/delete') {
      const { model } = deleteSchema.parse(JSON.parse(body));
      if (this.#remove(model)) response.end();
      else notFound(response, model);
    } else json(response, 404, { error: 'page not found' });
  }

  #list() {
    return [...new Map([...this.#stored(), ...this.models])].map(([name, digest]) => ({
      name,
      model: name,
      modified_at: '2026-01-01T00:00:00Z',
      size: 1000,
      digest,
      details: { format: 'gguf' },
    }));
  }

  #remove(model: string): boolean {
    const file = join(this.store, 'manifests/registry.ollama.ai/library', model.replace(':', '/'));
    const isStored = this.store !== '' && existsSync(file);
    if (isStored) rmSync(file);
    return this.models.delete(model) || isStored;
  }

  /** Returns the model names in the store with the digests of their manifests. */
  #stored(): [string, string][] {
    const folder = join(this.store, 'manifests/registry.ollama.ai/library');
    if (this.store === '' || !existsSync(folder)) return [];
    return readdirSync(folder).flatMap((model) =>
      readdirSync(join(folder, model)).map((tag): [string, string] => [
        `${model}:${tag}`,
        sha256Hex(readFileSync(join(folder, model, tag))),
      ]),
    );
  }

  #pull(response: ServerResponse): void {
    const pulling = this.#pulls.length > 1 ? this.#pulls.shift() : this.#pulls[0];
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    pulling?.((value) => response.write(`${JSON.stringify(value)}\n`), response);
  }

  #copy({ source, destination }: z.infer<typeof copySchema>, response: ServerResponse): void {
    const digest = this.models.get(source);
    if (digest === undefined) notFound(response, source);
    else {
      this.models.set(destination, digest);
      response.end();
    }
  }
}

/** Returns a successful pull of one layer. */
export function goesWell(engine: SmallEngine, name: string, digest = 'a'.repeat(64)): Pulling {
  return (line, response) => {
    line({ status: 'pulling manifest' });
    const layer = {
      status: 'pulling aaaaaaaaaaaa',
      digest: `sha256:${'a'.repeat(64)}`,
      total: 1000,
    };
    line(layer);
    line({ ...layer, completed: 600 });
    line({ ...layer, completed: 1000 });
    line({ status: 'verifying sha256 digest' });
    line({ status: 'writing manifest' });
    engine.models.set(name, digest);
    line({ status: 'success' });
    response.end();
  };
}

/** Returns a pull that fails with an error in its last line. */
export function failsWith(error: string): Pulling {
  return (line, response) => {
    line({ status: 'pulling manifest' });
    line({ error });
    response.end();
  };
}

function notFound(response: ServerResponse, model: string): void {
  json(response, 404, { error: `model '${model}' not found` });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}
