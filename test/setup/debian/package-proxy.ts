import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch, ProxyAgent, RetryAgent } from 'undici';
import type { DebianMirror } from './debian-mirror.ts';

/** Files that never change under their name. All others are requested again after an hour. */
const immutable = /\/(pool|by-hash)\//;
const freshFor = 60 * 60 * 1000;

/**
 * Gives servers under test access to Debian's archive: an HTTP proxy and, at the same port, a
 * mirror. It caches what it downloads and serves the cache while the archive is unreachable.
 */
export class PackageProxy {
  readonly #mirror: DebianMirror;
  readonly #folder: string;
  readonly #dispatcher: RetryAgent;
  readonly #fetching = new Map<string, Promise<void>>();

  /**
   * Caches packages in `folder`.
   * @param maxWait milliseconds before a failed request is repeated
   */
  constructor(mirror: DebianMirror, folder: string, maxWait = 30_000) {
    this.#mirror = mirror;
    this.#folder = folder;
    const proxy = /^Acquire::http::Proxy "(http[^"]+)";$/im.exec(mirror.settings)?.[1];
    // A single connection failure is not a fault of the server under test.
    this.#dispatcher = new RetryAgent(proxy ? new ProxyAgent(proxy) : new EnvHttpProxyAgent(), {
      maxRetries: 5,
      maxTimeout: maxWait,
    });
  }

  /** The server to attach to a port. */
  server(): Server {
    return createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (response.headersSent) return response.destroy();
        return response.writeHead(error instanceof Missing ? 404 : 502).end(String(error));
      });
    });
  }

  /** A request to a proxy has an absolute URL, one to a mirror only the path. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://mirror');
    const source = this.#sourceOf(pathname);
    const file = join(this.#folder, normalize(decodeURIComponent(pathname)));
    if (source === undefined) {
      response.writeHead(403).end('only the archive of Debian is reachable from here');
      return;
    }
    await this.#provide(file, source);
    const { size, mtime } = await stat(file);
    const headers = { 'content-length': size, 'last-modified': mtime.toUTCString() };
    response.writeHead(200, { 'content-type': 'application/octet-stream', ...headers });
    if (request.method === 'HEAD') response.end();
    else await pipeline(createReadStream(file), response);
  }

  /** On every mirror that has it, the security archive is next to the main one. */
  #sourceOf(pathname: string): string | undefined {
    const [, archive, path] = /^\/(debian|debian-security)\/(.+)$/.exec(pathname) ?? [];
    const main = this.#mirror.url.replace(/\/$/, '');
    if (archive === 'debian') return `${main}/${path}`;
    if (archive === 'debian-security') return `${main}-security/${path}`;
    return undefined;
  }

  /** All clients of a file wait for one download. */
  async #provide(file: string, source: string): Promise<void> {
    if (await isFresh(file)) return;
    const running = this.#fetching.get(file) ?? this.#download(file, source);
    this.#fetching.set(file, running);
    try {
      await running;
    } catch (error) {
      if (error instanceof Missing || !(await exists(file))) throw error;
    } finally {
      this.#fetching.delete(file);
    }
  }

  async #download(file: string, source: string): Promise<void> {
    const reply = await fetch(source, { dispatcher: this.#dispatcher });
    if (reply.status === 404) throw new Missing(`${source} does not exist`);
    if (!reply.ok || !reply.body) throw new Error(`${source} gave ${reply.status}`);
    await mkdir(dirname(file), { recursive: true });
    const partial = `${file}.partial-${process.pid}`;
    try {
      await pipeline(Readable.fromWeb(reply.body), createWriteStream(partial));
      await rename(partial, file);
    } finally {
      await rm(partial, { force: true });
    }
  }
}

class Missing extends Error {}

async function isFresh(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  // A request for a folder must not depend on when the cache created its own.
  if (!found?.isFile()) return false;
  return immutable.test(file) || Date.now() - found.mtimeMs < freshFor;
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}
