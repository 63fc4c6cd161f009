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
 * A registry on loopback that holds images made in memory and misbehaves on demand, for what no
 * real registry can be made to do. Its good manners are those of the distribution specification.
 *
 *   const registry = await FaultyRegistry.start({ login: tokenLogin() });
 *   registry.push('team/app:1', makeImage());
 *   registry.fault('/v2/team/app/manifests/1', html());     // any handler of the faulty server
 *   registry.paths();                                       // what was asked for, in order
 */

/** Decides about a request: true lets it through, otherwise the answer has been given. */
export type Gate = (visit: Visit, registry: FaultyRegistry) => boolean;

export interface RegistryOptions extends ServerOptions {
  readonly gate?: Gate | undefined;
  /** Whether answers carry Docker-Content-Digest, as real registries' do; default true. */
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

  /** `host:port`: what image names begin with. */
  get host(): string {
    return this.#server.host;
  }

  url(path: string): URL {
    return this.#server.url(path);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Takes in an image under `repository:tag`, or just under its digests. */
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

  /** Answers GET of a path in its own way from now on, and nothing else; undefined ends that. */
  fault(path: string, handler: Handler | undefined): void {
    if (handler) this.#faults.set(path, handler);
    else this.#faults.delete(path);
  }

  /** The requests so far, all or those to one path. */
  seen(path?: string): readonly Seen[] {
    return this.#server.seen(path);
  }

  /** `GET /v2/...` of everything so far. */
  paths(): string[] {
    return this.#server.seen().map(({ method, path }) => `${method} ${path}`);
  }

  /** Faults are written for GET, and count only those: the first, the second. */
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

/** 404 with the code that registries give. */
export function unknown(code: string): Handler {
  const body = JSON.stringify({ errors: [{ code, message: 'unknown' }] });
  return status(404, { 'content-type': 'application/json' }, body);
}
