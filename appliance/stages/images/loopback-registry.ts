import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { blobsFolder } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { readChunks } from '../../server/host/read-chunks.ts';

/** `/v2/<name>/manifests/<digest>` or `/v2/<name>/blobs/<digest>` (OCI distribution-spec, "Pull"). */
const pullPath = /^\/v2\/[a-z0-9._/-]{1,128}\/(manifests|blobs)\/(sha256:[0-9a-f]{64})$/;
/** Maximum size of a manifest, in bytes (OCI distribution-spec). Larger blobs are not manifests. */
const maxManifest = 4 << 20;

/**
 * Serves the blobs of a release as a read-only registry on loopback, during an import. Docker verifies
 * pulled images and keeps their digest, which `docker load` does not. Only blobs of the release can be
 * read, by digest.
 */
export async function startLoopbackRegistry(blobs: ReleaseBlobs): Promise<LoopbackRegistry> {
  const absent = new Set<Digest>();
  const server = createServer((request, response) => {
    answer(request, response, { blobs, absent }).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    absent,
    async close() {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
}

export interface LoopbackRegistry {
  /** For example `127.0.0.1:40123`. Docker uses plain HTTP for loopback addresses. */
  readonly host: string;
  /** Blobs of the release that Docker requested and the folder does not have. */
  readonly absent: Set<Digest>;
  close(): Promise<void>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { blobs, absent }: { readonly blobs: ReleaseBlobs; readonly absent: Set<Digest> },
): Promise<void> {
  const { method = '', url = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'UNSUPPORTED');
  if (url === '/v2/' || url === '/v2') return void response.writeHead(200).end('{}');
  const [, kind, digest = ''] = pullPath.exec(url) ?? [];
  const size = blobs.sizeOf(digest);
  if (!isDigest(digest) || size === undefined) return refuse(response, 404, 'BLOB_UNKNOWN');
  if (!blobs.isHere(digest)) {
    absent.add(digest);
    return refuse(response, 404, 'BLOB_UNKNOWN');
  }
  response.setHeader('content-length', size);
  response.setHeader('docker-content-digest', digest);
  response.setHeader('content-type', await contentType(blobs, kind, digest, size));
  if (method === 'HEAD') return void response.end();
  await send(response, blobs.pathOf(digest));
}

/** Sends a file through one buffer, because a stream would use tens of megabytes. */
async function send(response: ServerResponse, path: string): Promise<void> {
  const gone = new Promise<never>((_, reject) => {
    response.once('close', () => reject(new Error('Docker closed the connection')));
  });
  gone.catch(() => {});
  for await (const piece of readChunks(path)) {
    await Promise.race([gone, written(response, piece)]);
  }
  response.end();
}

function written(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

/** Returns the media type from the manifest; Docker reads only the header. */
async function contentType(
  blobs: ReleaseBlobs,
  kind: string | undefined,
  digest: Digest,
  size: number,
): Promise<string> {
  if (kind === 'blobs' || size > maxManifest) return 'application/octet-stream';
  const { mediaType } = JSON.parse(await readFile(blobs.pathOf(digest), 'utf8')) as {
    mediaType?: unknown;
  };
  return typeof mediaType === 'string' ? mediaType : 'application/vnd.oci.image.manifest.v1+json';
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] }));
}

const folder = `${blobsFolder}/sha256/`;

/** The image blobs of a bundle, stored as in an OCI image layout. */
export class ReleaseBlobs {
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #releaseFolder: string;

  constructor(release: Pick<Release, 'files'>, releaseFolder: string) {
    this.#releaseFolder = releaseFolder;
    this.#sizes = new Map(
      release.files
        .filter(({ path }) => path.startsWith(folder))
        .map(({ path, size }) => [`sha256:${path.slice(folder.length)}`, size]),
    );
  }

  /** Returns the size of a blob in bytes; undefined if the release does not contain it. */
  sizeOf(digest: string): number | undefined {
    return this.#sizes.get(digest);
  }

  has(digest: string | null): digest is Digest {
    return digest !== null && isDigest(digest) && this.#sizes.has(digest);
  }

  /** Returns whether the folder has a blob: the disk plan may remove blobs that Docker has. */
  isHere(digest: Digest): boolean {
    return existsSync(this.pathOf(digest));
  }

  /** Returns the absolute path of a blob. */
  pathOf(digest: Digest): string {
    return join(this.#releaseFolder, folder, digest.slice('sha256:'.length));
  }
}
