import { fstatSync, type ReadStream, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv4, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import send from 'send';
import { LandfallError } from '#contract/errors.ts';
import { rejectPipelining } from '#http/pipelining.ts';
import { contentType } from '../file-meanings.ts';
import type { HashedFile } from '../hashed-file.ts';
import { indexPage } from '../index-page.ts';
import type { DownloadLog } from './download-log.ts';
import type { ListenAddress } from './listen-address.ts';

/** A server that is ready for requests. */
export interface ReleaseServer {
  readonly address: ListenAddress;
  /** Closes all connections. Clients can resume interrupted downloads later. */
  close(): Promise<void>;
}

/** Limits of a request, against clients that send little or nothing. Milliseconds and bytes. */
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 8 * 1024,
} as const;
/** Stall timeout of a client, in milliseconds. */
const stallTimeout = 120_000;
const maxConnections = 128;
const maxPerClient = 32;
const maxHeaders = 64;

/** Starts a read-only HTTP server for the files. @throws LandfallError USAGE for the address */
export async function startServer(
  offer: Offer,
  { host, port }: ListenAddress,
): Promise<ReleaseServer> {
  const listener = rejectPipelining((request, response) => {
    answer(offer, request, response).catch((error: unknown) => {
      offer.log.note(`a request failed: ${error instanceof Error ? error.message : error}`);
      response.destroy();
    });
  });
  const server = createServer(limits, listener);
  limitConnections(server, { max: maxConnections, maxPerClient });
  server.maxHeadersCount = maxHeaders;
  server.setTimeout(stallTimeout);
  await listen(server, host, port);
  return {
    address: { host, port: (server.address() as AddressInfo).port },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenError(error, `${host.includes(':') ? `[${host}]` : host}:${port}`));
    });
    server.listen({ host, port }, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, address: string): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use',
    EADDRNOTAVAIL: 'this machine does not have the address',
    EACCES: 'permission denied',
  };
  const reason = reasons[error.code ?? ''];
  if (reason === undefined) return error;
  return new LandfallError('USAGE', `cannot listen on ${address}: ${reason}`, {
    hint: 'Choose another address and port with --listen.',
    cause: error,
  });
}

/** Numbers of open connections. */
interface ConnectionLimits {
  readonly max: number;
  readonly maxPerClient: number;
}

/**
 * Limits the open connections, so that clients that do not read cannot lock out the others. Above the
 * limit of a client, its new connection is closed. Above the limit of all, the oldest connection closes
 * of the client that has most, or the new one if each client has only one.
 */
export function limitConnections(server: Server, { max, maxPerClient }: ConnectionLimits): void {
  const open = new Map<string, Set<Socket>>();
  let total = 0;
  server.on('connection', (socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const own = open.get(client) ?? new Set();
    if (own.size >= maxPerClient) {
      socket.destroy();
      return;
    }
    open.set(client, own.add(socket));
    total += 1;
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0) open.delete(client);
      total -= 1;
    });
    if (total > max) (oldestOfLargest(open) ?? socket).destroy();
  });
}

/** Returns the oldest connection of the client that has most; undefined if each has only one. */
function oldestOfLargest(open: ReadonlyMap<string, ReadonlySet<Socket>>): Socket | undefined {
  const sorted = [...open.values()].sort((one, other) => other.size - one.size);
  const [largest = new Set()] = sorted;
  return largest.size > 1 ? [...largest][0] : undefined;
}

/** Returns the address, or the /64 network of an IPv6 address: a host can use all addresses of it. */
function clientOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:/i, '');
  if (isIPv4(ipv4)) return ipv4;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Math.max(8 - (first?.length ?? 0) - (last?.length ?? 0), 0);
  return [...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])]
    .slice(0, 4)
    .join(':');
}

/** What a server offers. */
interface Offer {
  readonly files: readonly HashedFile[];
  readonly log: DownloadLog;
}

/**
 * Answers a request for a file or the index. Only names of the offer are looked up, so no part of a
 * request becomes a path. A file that changed since it was hashed is not served.
 */
async function answer(
  { files, log }: Offer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('x-content-type-options', 'nosniff');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'Only GET and HEAD are supported.');
  }
  const name = nameIn(request.url);
  if (name === '') return sendIndex(files, response);
  const file = files.find((each) => each.name === name);
  if (!file) return refuse(response, 404, 'There is no such file.');
  if (await isUnchanged(file)) return sendFile(file, log, request, response);
  log.note(`${file.name} changed on disk and is not served: start the command again`);
  refuse(response, 404, 'The file has changed since the server was started.');
}

/** Returns the name in a path, or in the URL of a request to a proxy; undefined for an invalid one. */
function nameIn(url = ''): string | undefined {
  const [, encoded] = /^(?:https?:\/\/[^/]*)?\/([^?#]*)/.exec(url) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

async function isUnchanged(file: HashedFile): Promise<boolean> {
  const now = await lstat(file.path).catch(() => undefined);
  return now !== undefined && isSame(now, file);
}

function isSame(now: Stats, { size, modified }: HashedFile): boolean {
  return now.isFile() && now.size === size && now.mtimeMs === modified;
}

function sendFile(
  file: HashedFile,
  log: DownloadLog,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { name, path, sha256 } = file;
  // Strong, so that If-Range resumes only a download of the same bytes.
  response.setHeader('etag', `"${sha256}"`);
  response.setHeader('content-type', contentType(name));
  const options = { root: dirname(path), index: false, cacheControl: false } as const;
  send(request, `/${encodeURIComponent(basename(path))}`, options)
    .on('stream', (stream: ReadStream) => {
      log.follow(name, request, response, stream);
      // Another file may have taken its place before it was opened.
      stream.once('open', (fd: number) => {
        if (!isSame(fstatSync(fd), file)) stream.destroy(new Error(`${name} changed on disk`));
      });
    })
    .on('error', ({ status = 500 }) => {
      response.removeHeader('etag');
      refuse(response, status, 'The range or the condition cannot be satisfied.');
    })
    .pipe(response);
}

function sendIndex(files: readonly HashedFile[], response: ServerResponse): void {
  const page = Buffer.from(indexPage('Files of the release', files));
  response.setHeader('content-security-policy', "default-src 'none'");
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': page.length,
  });
  response.end(page);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
