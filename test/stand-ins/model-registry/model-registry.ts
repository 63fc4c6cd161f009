import { digestOf } from '#contract/trust/digest.ts';
import { serve, status } from '../../faulty-server/faults.ts';
import {
  FaultyServer,
  type Handler,
  type ServerOptions,
  type Visit,
} from '../../faulty-server/faulty-server.ts';
import type { ModelFiles } from '../engine/models/put-tiny-model.ts';

/*
 * A read-only stand-in for Ollama's registry, as strict as the real one: blobs are on another server
 * with signed URLs, manifests have no Content-Length, and the other endpoints of OCI's specification
 * are missing.
 *
 *   const registry = await ModelRegistry.start();
 *   registry.push('library/tiny:1b', tinyModel());
 *   registry.faultOf(digest, cutAfter(1000, bytes));        // any handler of the faulty server
 *   registry.paths(); registry.contentPaths();              // requests, in order
 */

export interface ModelRegistryOptions extends ServerOptions {
  /** False: blobs are served directly, as OCI registries do, which Ollama rejects. */
  readonly redirects?: boolean;
  /** Whether manifests are also available by digest. */
  readonly digests?: boolean;
}

export const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';

export class ModelRegistry {
  readonly #registry: FaultyServer;
  readonly #content: FaultyServer;
  readonly #options: ModelRegistryOptions;
  /** By `namespace/model/tag`. */
  readonly #manifests = new Map<string, Buffer>();
  /** Every manifest that was pushed, by `namespace/model/sha256:…`. */
  readonly #pushed = new Map<string, Buffer>();
  /** By `namespace/model/sha256:…`. */
  readonly #blobs = new Map<string, Buffer>();
  readonly #faults = new Map<string, Handler>();

  private constructor(
    registry: FaultyServer,
    content: FaultyServer,
    options: ModelRegistryOptions,
  ) {
    this.#registry = registry;
    this.#content = content;
    this.#options = options;
    registry.answer((visit) => this.#answer(visit));
    content.answer((visit) => this.#give(visit));
  }

  static async start(options: ModelRegistryOptions = {}): Promise<ModelRegistry> {
    const servers = [FaultyServer.start({}, options), FaultyServer.start({}, options)] as const;
    return new ModelRegistry(...(await Promise.all(servers)), options);
  }

  /** `host:port`: prefix of model names. */
  get host(): string {
    return this.#registry.host;
  }

  /** `host:port` of the blob server: another name than the registry's. */
  get contentHost(): string {
    return `localhost:${this.#content.url('/').port}`;
  }

  url(path: string): URL {
    return this.#registry.url(path);
  }

  /** Returns the signed URL of a blob of `namespace/model`. */
  blobUrl(repository: string, digest: string): URL {
    return this.#contentUrl(`${repository}/${digest}`);
  }

  /** Adds a model under `namespace/model:tag`, or moves a tag to it. */
  push(name: string, { manifest, blobs }: ModelFiles): void {
    const [repository = '', tag = ''] = name.split(':');
    this.#manifests.set(`${repository}/${tag}`, manifest);
    this.#pushed.set(`${repository}/${digestOf(manifest)}`, manifest);
    for (const [digest, bytes] of blobs) this.#blobs.set(`${repository}/${digest}`, bytes);
  }

  /** Overrides GET of a path of the registry. */
  fault(path: string, handler: Handler): void {
    this.#faults.set(path, handler);
  }

  /** Overrides the response for a blob. */
  faultOf(digest: string, handler: Handler): void {
    this.#faults.set(digest, handler);
  }

  /** Returns all requests to the registry, as `GET /v2/...`. */
  paths(): string[] {
    return this.#registry.seen().map(({ method, path }) => `${method} ${path}`);
  }

  /** Returns all requests to the blob server. */
  contentPaths(): string[] {
    return this.#content.seen().map(({ method, path }) => `${method} ${path}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#registry.close(), this.#content.close()]);
  }

  #answer(visit: Visit): void | Promise<void> {
    const { pathname } = visit.url;
    const fault = this.#faults.get(pathname);
    if (fault && visit.request.method === 'GET') return fault(visit);
    const [, repository = '', kind, reference = ''] =
      /^\/v2\/([^/]+\/[^/]+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    if (kind === 'manifests') return this.#manifest(`${repository}/${reference}`, visit);
    if (kind === 'blobs') return this.#blob(`${repository}/${reference}`, visit);
    return status(404)(visit);
  }

  #manifest(key: string, visit: Visit): void | Promise<void> {
    const { request, response } = visit;
    if (request.method !== 'GET') return status(405)(visit);
    if (!request.headers.accept?.includes(manifestType)) return status(406)(visit);
    const bytes = this.#manifests.get(key) ?? this.#byDigest(key);
    if (!bytes) return unknown('MANIFEST_UNKNOWN')(visit);
    // Written in two chunks, so that there is no Content-Length.
    response.writeHead(200, { 'content-type': manifestType });
    response.write(bytes.subarray(0, 1));
    response.end(bytes.subarray(1));
    return undefined;
  }

  #byDigest(key: string): Buffer | undefined {
    if (this.#options.digests !== true) return undefined;
    return this.#pushed.get(key);
  }

  #blob(key: string, visit: Visit): void | Promise<void> {
    const bytes = this.#blobs.get(key);
    if (!bytes) return unknown('BLOB_UNKNOWN')(visit);
    if (visit.request.method === 'HEAD') return serve(bytes)(visit);
    if (this.#options.redirects === false) return serve(bytes)(visit);
    return status(307, { location: this.#contentUrl(key).href })(visit);
  }

  #contentUrl(key: string): URL {
    const location = this.#content.url(`/${key}`);
    // Ollama accepts only a redirect to another host name.
    location.hostname = 'localhost';
    location.search = `?X-Amz-Signature=${signatureOf(key)}`;
    return location;
  }

  /** A signed URL is valid for any client, but for one request method and without credentials. */
  #give(visit: Visit): void | Promise<void> {
    const key = visit.url.pathname.slice(1);
    const { request, url } = visit;
    if (request.headers.authorization !== undefined) return status(400)(visit);
    if (url.searchParams.get('X-Amz-Signature') !== signatureOf(key)) return status(403)(visit);
    if (request.method !== 'GET') return status(403)(visit);
    const fault = this.#faults.get(key.split('/').at(-1) ?? '');
    if (fault) return fault(visit);
    return serve(this.#blobs.get(key) ?? Buffer.alloc(0))(visit);
  }
}

function signatureOf(key: string): string {
  return Buffer.from(key).toString('base64url').slice(-16);
}

function unknown(code: string): Handler {
  const body = JSON.stringify({ errors: [{ code, message: 'unknown' }] });
  return status(404, { 'content-type': 'application/json' }, body);
}
