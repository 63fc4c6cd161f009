import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Release, ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { failureText } from '../host/pull/pull-line.ts';
import type { PullPace } from '../host/pull/retry-pull.ts';
import { readChunks } from '../host/read-chunks.ts';
import type { Reporter } from '../stage/reporter.ts';
import type { Context } from '../stage/stage.ts';
import { isDiskFull, pullFailure, pullOutside } from './pull-outside.ts';
import { keepPulling } from './retry-pull.ts';

/** Called for each image when it has its local name. */
export type Imported = (image: ReleaseImage) => Promise<void>;

/**
 * Imports images into Docker: those in the bundle over loopback, the others from registries.
 * @throws LandfallError COMMAND_FAILED, and those of {@link pullCarried} and {@link pullOutside}
 */
export async function importImages(
  context: Context,
  images: readonly ReleaseImage[],
  imported: Imported = async () => {},
): Promise<void> {
  const { host, release, releaseFolder } = context;
  const blobs = new ReleaseBlobs(release, releaseFolder);
  const here = existsSync(join(releaseFolder, 'blobs'));
  const carried = images.filter(({ manifest }) => here && blobs.has(manifest));
  const outside = images.filter((image) => !carried.includes(image));
  if (carried.length > 0) await importCarried(context, blobs, carried, imported);
  for (const image of outside) {
    const source = await pullOutside(context, image);
    await name(host, source, localImage(image));
    await imported(image);
  }
}

async function importCarried(
  { host, report }: Context,
  blobs: ReleaseBlobs,
  images: readonly ReleaseImage[],
  imported: Imported,
): Promise<void> {
  const total = images.reduce((sum, { size }) => sum + (size ?? 0), 0);
  let before = 0;
  const progress = (done: number) =>
    report.progress({ done: Math.min(total, before + done), total, unit: 'bytes' });
  report.say(`importing ${images.map(({ component }) => component).join(', ')}`);
  const registry = await startLoopbackRegistry(blobs);
  try {
    for (const image of images) {
      const source = await pullCarried(host, registry.host, image, {
        say: report.say,
        progress: ({ done }) => progress(done),
      });
      await name(host, source, localImage(image));
      await imported(image);
      before += image.size ?? 0;
      progress(0);
    }
  } finally {
    await registry.close();
  }
}

/** Tags an image with its local name and removes the name under which it was pulled. */
async function name(host: Host, source: string, local: string): Promise<void> {
  await host.run('docker', ['tag', source, local]);
  await host.run('docker', ['image', 'rm', '--no-prune', source], { accept: [1] });
}

/**
 * Pulls an image of the bundle from the loopback registry into Docker.
 * @param registry address, such as `127.0.0.1:40123`
 * @returns the reference under which it was pulled
 * @throws LandfallError IMAGE_MISMATCH, DISK_FULL, DOCKER_UNREACHABLE
 */
export async function pullCarried(
  host: Host,
  registry: string,
  { component, manifest, size }: ReleaseImage,
  report: Pick<Reporter, 'say' | 'progress'>,
  pace: PullPace = {},
): Promise<string> {
  const reference = `${registry}/landfall/${component}@${manifest}`;
  const failed = (words: string) =>
    isDiskFull(words)
      ? pullFailure(component, words)
      : failure(`Docker cannot import the image of ${component} from the release`, words);
  const stalled = failure(`the import of the image of ${component} stalled`);
  await keepPulling(host, { reference, size, failed, stalled }, report, pace);
  return reference;
}

/** Returns an error without a hint about mirrors or routes, because the image is on this server. */
function failure(message: string, words?: string): TransferError {
  return new TransferError('IMAGE_MISMATCH', message, {
    hint: 'Check the logs: sudo journalctl --unit docker --lines 50',
    problems: words === undefined ? [] : [{ message: `Docker reports: ${failureText(words)}` }],
    transient: true,
  });
}

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
  const server = createServer((request, response) => {
    answer(request, response, blobs).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
}

interface LoopbackRegistry {
  /** For example `127.0.0.1:40123`. Docker uses plain HTTP for loopback addresses. */
  readonly host: string;
  close(): Promise<void>;
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

const folder = 'blobs/sha256/';

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

  /** Returns the absolute path of a blob. */
  pathOf(digest: Digest): string {
    return join(this.#releaseFolder, folder, digest.slice('sha256:'.length));
  }
}
