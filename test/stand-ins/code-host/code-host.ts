import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { FaultyServer, type Handler, type Visit } from '../../faulty-server/faulty-server.ts';
import { HostedFiles, type StoredAsset } from './hosted-files.ts';

/*
 * A stand-in for api.github.com, uploads.github.com and its object storage, as strict as the real ones
 * (docs.github.com/rest/releases): drafts are found by listing only, an existing name is rejected with
 * 422, an upload that breaks off stays as `starter`, downloads redirect to another server with a
 * signed URL, which rejects a request with the token.
 *
 *   const host = await CodeHostStandIn.start();
 *   host.fault('POST', '/assets', inTurn(status(502), …));    // in front of the API, by end of path
 *   host.releases(); host.assetsOf(id);
 */

export const token = 'ghs_0123456789abcdefghijklmnopqrstuvwxyz';
export const repository = 'team/landfall';

interface StoredRelease {
  readonly id: number;
  readonly tag_name: string;
  draft: boolean;
  readonly target_commitish?: string;
  make_latest?: string;
  /** The notes. */
  body?: string;
}

type Fault = { method: string; end: string; handler: Handler };

export class CodeHostStandIn {
  readonly #api: FaultyServer;
  readonly #storage: FaultyServer;
  readonly #files = new HostedFiles();
  readonly #releases: StoredRelease[] = [];
  readonly #faults: Fault[] = [];
  #nextId = 1;

  private constructor(api: FaultyServer, storage: FaultyServer) {
    this.#api = api;
    this.#storage = storage;
    api.answer((visit) => this.#receive(visit));
    storage.answer((visit) => this.#serve(visit));
  }

  static async start(): Promise<CodeHostStandIn> {
    const nothing: Handler = ({ response }) => void response.writeHead(404).end();
    const [api, storage] = [await FaultyServer.start(nothing), await FaultyServer.start(nothing)];
    return new CodeHostStandIn(api, storage);
  }

  /** Variables of a workflow that uses it. */
  get env(): NodeJS.ProcessEnv {
    return {
      GITHUB_API_URL: this.#api.origin,
      GITHUB_REPOSITORY: repository,
      GITHUB_TOKEN: token,
    };
  }

  /** Answers requests with a handler; `undefined` results of a handler continue to the API. */
  fault(method: string, end: string, handler: Handler): void {
    this.#faults.push({ method, end, handler });
  }

  /** Adds a release as another program would. */
  add(tag: string, draft: boolean): StoredRelease {
    const release = { id: this.#nextId++, tag_name: tag, draft };
    this.#releases.push(release);
    return release;
  }

  releases(): readonly StoredRelease[] {
    return this.#releases;
  }

  /** Adds a file as an upload of another program would leave it. */
  put(release: number, name: string, bytes: Buffer, state: 'uploaded' | 'starter'): StoredAsset {
    return this.#files.put({ id: this.#nextId++, release, name, bytes, state });
  }

  assetsOf(release: number): readonly StoredAsset[] {
    return this.#files.of(release);
  }

  /** Requests of the API, as `METHOD path`. */
  requests(): string[] {
    return this.#api.seen().map(({ method, path }) => `${method} ${path}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#api.close(), this.#storage.close()]);
  }

  async #receive(visit: Visit): Promise<void> {
    const { request, response, url } = visit;
    const { authorization, 'user-agent': agent } = request.headers;
    if (!agent) return void response.writeHead(403).end('Request forbidden: no User-Agent header');
    if (authorization !== `token ${token}`)
      return answer(visit, 401, { message: 'Bad credentials' });
    const fault = this.#faults.find(
      ({ method, end }) => method === request.method && url.pathname.endsWith(end),
    );
    if (fault) {
      const same = this.#api.seen(url.pathname).filter(({ method }) => method === request.method);
      await fault.handler({ ...visit, count: same.length });
      if (response.headersSent || response.destroyed || request.destroyed) return;
    }
    const path = url.pathname.replace(`/repos/${repository}`, '');
    const [, , id = '', rest = ''] = path.split('/');
    if (request.method === 'GET' && path === '/releases')
      return page(visit, this.#releases.map((each) => this.#shown(each)).reverse());
    if (request.method === 'POST' && path === '/releases') return await this.#create(visit);
    if (path.startsWith('/releases/assets/')) return this.#asset(visit, Number(rest));
    const release = this.#releases.find((each) => `${each.id}` === id);
    if (!release) return answer(visit, 404, { message: 'Not Found' });
    if (request.method === 'GET' && rest === 'assets')
      return page(visit, this.#files.shown(release.id));
    if (request.method === 'POST' && rest === 'assets') return await this.#upload(visit, release);
    if (request.method === 'PATCH') {
      Object.assign(release, JSON.parse((await buffer(request)).toString()));
      return answer(visit, 200, this.#shown(release));
    }
    return answer(visit, 404, { message: 'Not Found' });
  }

  #shown(release: StoredRelease): object {
    const upload = `${this.#api.origin}/repos/${repository}/releases/${release.id}/assets`;
    return { ...release, upload_url: `${upload}{?name,label}`, html_url: `${upload}/html` };
  }

  async #create(visit: Visit): Promise<void> {
    const asked = JSON.parse((await buffer(visit.request)).toString()) as StoredRelease;
    const release = { ...asked, id: this.#nextId++ };
    this.#releases.push(release);
    answer(visit, 201, this.#shown(release));
  }

  async #upload(visit: Visit, { id }: StoredRelease): Promise<void> {
    const { request, url } = visit;
    const name = url.searchParams.get('name') ?? '';
    const length = Number(request.headers['content-length']);
    if (!Number.isInteger(length) || !request.headers['content-type']) {
      return answer(visit, 400, { message: 'Bad Content-Length or Content-Type' });
    }
    if (this.#files.of(id).some((asset) => asset.name === name)) {
      const errors = [{ resource: 'ReleaseAsset', code: 'already_exists', field: 'name' }];
      return answer(visit, 422, { message: 'Validation Failed', errors });
    }
    const asset = this.put(id, name, Buffer.alloc(0), 'starter');
    const bytes = await buffer(request).catch(() => undefined);
    if (bytes?.length !== length) return;
    this.#files.complete(asset, bytes);
    answer(visit, 201, this.#files.shownOne(asset));
  }

  #asset(visit: Visit, id: number): void {
    const { request, response } = visit;
    const asset = this.#files.byId(id);
    if (!asset) {
      answer(visit, 404, { message: 'Not Found' });
    } else if (request.method === 'DELETE') {
      this.#files.remove(asset);
      response.writeHead(204).end();
    } else if (request.headers.accept === 'application/octet-stream') {
      const location = this.#storage.url(`/${id}?sig=${signature(id)}`).href;
      response.writeHead(302, { location }).end();
    } else {
      answer(visit, 200, this.#files.shownOne(asset));
    }
  }

  #serve({ request, response, url }: Visit): void {
    const id = Number(url.pathname.slice(1));
    const asset = this.#files.byId(id);
    // Object storage rejects a second kind of authentication.
    if (request.headers.authorization) return void response.writeHead(400).end();
    if (!asset || url.searchParams.get('sig') !== signature(id))
      return void response.writeHead(403).end();
    response.writeHead(200, { 'content-length': asset.bytes.length }).end(asset.bytes);
  }
}

function answer({ response }: Visit, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function page(visit: Visit, all: readonly object[]): void {
  const { searchParams } = visit.url;
  const size = Number(searchParams.get('per_page') ?? 30);
  const number = Number(searchParams.get('page') ?? 1);
  const start = (number - 1) * size;
  if (start + size < all.length) {
    const next = new URL(visit.url);
    next.searchParams.set('page', `${number + 1}`);
    visit.response.setHeader('link', `<${next.href}>; rel="next"`);
  }
  answer(visit, 200, all.slice(start, start + size));
}

function signature(id: number): string {
  return createHash('sha256').update(`secret ${id}`).digest('hex');
}

/** Reads some bytes of an upload, then breaks the connection. */
export function cutUploadAfter(count: number): Handler {
  return async ({ request, response }) => {
    await bytesOf(request, count);
    response.destroy();
  };
}

async function bytesOf(request: IncomingMessage, count: number): Promise<void> {
  let received = 0;
  for await (const chunk of request) {
    received += (chunk as Buffer).length;
    if (received >= count) return;
  }
}
