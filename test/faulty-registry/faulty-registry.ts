import { serve, status } from '../faulty-server/faults.ts';
import {
  FaultyServer,
  type Handler,
  type Seen,
  type ServerOptions,
  type Visit,
} from '../faulty-server/faulty-server.ts';
import { blobsOf, type TestBlob, type TestImage, type TestPlatformImage } from './make-image.ts';

/*
 * A registry on loopback with in-memory images that misbehaves on demand, for faults that a
 * real registry cannot produce. Its default behaviour is that of the distribution specification.
 *
 *   const registry = await FaultyRegistry.start({ login: tokenLogin() });
 *   registry.push('team/app:1', makeImage());
 *   registry.fault('/v2/team/app/manifests/1', html());     // any handler of the faulty server
 *   registry.paths();                                       // the requests, in order
 */

/** Authorizes a request: true accepts it, otherwise the response has been sent. */
export type Gate = (visit: Visit, registry: FaultyRegistry) => boolean;

export interface RegistryOptions extends ServerOptions {
  readonly gate?: Gate | undefined;
  /** Whether responses have Docker-Content-Digest, as in real registries; default true. */
  readonly announces?: boolean;
}

export class FaultyRegistry {
  readonly #server: FaultyServer;
  readonly #faults = new Map<string, Handler>();
  /** By repository: manifests by tag and by digest, blobs by digest. */
  readonly #manifests = new Map<string, TestBlob>();
  readonly #blobs = new Map<string, TestBlob>();
  readonly #announces: boolean;

  private constructor(server: FaultyServer, options: RegistryOptions) {
    this.#server = server;
    this.#announces = options.announces ?? true;
    server.answer((visit) => {
      const fault = this.#faults.get(visit.url.pathname);
      if (fault) return this.#misbehave(fault, visit);
      if (options.gate && !options.gate(visit, this)) return undefined;
      return this.#answer(visit);
    });
  }

  static async start(options: RegistryOptions = {}): Promise<FaultyRegistry> {
    const server = await FaultyServer.start(status(503), { tls: options.tls });
    return new FaultyRegistry(server, options);
  }

  /** `host:port`, the prefix of image names. */
  get host(): string {
    return this.#server.host;
  }

  url(path: string): URL {
    return this.#server.url(path);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Adds an image as `repository:tag`, or only by digest. */
  push(name: string, image: TestImage | TestPlatformImage): void {
    const [repository = '', tag] = name.split(':');
    const root = 'index' in image ? image.index : image.manifest;
    const below =
      'index' in image ? blobsOf(image) : [image.manifest, image.config, ...image.layers];
    if (tag) this.#manifests.set(`${repository}/${tag}`, root);
    for (const blob of [root, ...below]) {
      const isManifest = /manifest|index/.test(blob.mediaType);
      (isManifest ? this.#manifests : this.#blobs).set(`${repository}/${blob.digest}`, blob);
    }
  }

  /** Sets the handler for GET of a path; undefined removes it. */
  fault(path: string, handler: Handler | undefined): void {
    if (handler) this.#faults.set(path, handler);
    else this.#faults.delete(path);
  }

  /** The requests so far, all or for one path. */
  seen(path?: string): readonly Seen[] {
    return this.#server.seen(path);
  }

  /** All requests so far, as `GET /v2/...`. */
  paths(): string[] {
    return this.#server.seen().map(({ method, path }) => `${method} ${path}`);
  }

  /** Handlers are written for GET and count only those: the first, the second. */
  #misbehave(fault: Handler, visit: Visit): void | Promise<void> {
    if (visit.request.method !== 'GET') return status(405)(visit);
    const gets = this.seen(visit.url.pathname).filter(({ method }) => method === 'GET');
    return fault({ ...visit, count: gets.length });
  }

  #answer(visit: Visit): void | Promise<void> {
    const [, repository = '', kind, reference] =
      /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(visit.url.pathname) ?? [];
    const shelf = kind === 'manifests' ? this.#manifests : this.#blobs;
    const found = shelf.get(`${repository}/${reference}`);
    const accepted = visit.request.headers.accept ?? '';
    const isWelcome = kind === 'blobs' || (found && accepted.includes(found.mediaType));
    if (!found || !isWelcome)
      return unknown(kind === 'manifests' ? 'MANIFEST_UNKNOWN' : 'BLOB_UNKNOWN')(visit);
    const headers = this.#announces ? { 'docker-content-digest': found.digest } : {};
    const type = kind === 'manifests' ? found.mediaType : 'application/octet-stream';
    return serve(found.bytes, { type, headers, ranges: kind === 'blobs' })(visit);
  }
}

/** Sends 404 with a registry's error code. */
export function unknown(code: string): Handler {
  const body = JSON.stringify({ errors: [{ code, message: 'unknown' }] });
  return status(404, { 'content-type': 'application/json' }, body);
}
