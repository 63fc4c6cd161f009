import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LandfallError } from '#contract/errors.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { readChunks } from '../host/read-chunks.ts';
import type { ReleaseBlobs } from './release-blobs.ts';

/** `/v2/<name>/manifests/<digest>` or `/v2/<name>/blobs/<digest>` (OCI distribution-spec, "Pull"). */
const pullPath = /^\/v2\/[a-z0-9._/-]{1,128}\/(manifests|blobs)\/(sha256:[0-9a-f]{64})$/;
/** Maximum size of a manifest, in bytes (OCI distribution-spec). Larger blobs are not manifests. */
const largestManifest = 4 << 20;

/**
 * Serves the blobs of a release as a read-only registry on loopback, during an import. Docker verifies
 * pulled images and keeps their digest, which `docker load` does not. Only blobs of the release can be
 * read, by digest.
 */
export class LoopbackRegistry {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(blobs: ReleaseBlobs): Promise<LoopbackRegistry> {
    const server = createServer((request, response) => {
      answer(request, response, blobs).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return new LoopbackRegistry(server);
  }

  /** For example `127.0.0.1:40123`. Docker uses plain HTTP for loopback addresses. */
  get host(): string {
    const address = this.#server.address();
    if (address && typeof address === 'object') return `127.0.0.1:${address.port}`;
    throw new LandfallError('STAGE_FAILED', 'the loopback registry is not running');
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  blobs: ReleaseBlobs,
): Promise<void> {
  const { method = '', url = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'UNSUPPORTED');
  if (url === '/v2/' || url === '/v2') return void response.writeHead(200).end('{}');
  const [, kind, digest = ''] = pullPath.exec(url) ?? [];
  const size = blobs.sizeOf(digest);
  if (!isDigest(digest) || size === undefined) return refuse(response, 404, 'BLOB_UNKNOWN');
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
  if (kind === 'blobs' || size > largestManifest) return 'application/octet-stream';
  const { mediaType } = JSON.parse(await readFile(blobs.pathOf(digest), 'utf8')) as {
    mediaType?: unknown;
  };
  return typeof mediaType === 'string' ? mediaType : 'application/vnd.oci.image.manifest.v1+json';
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] }));
}
