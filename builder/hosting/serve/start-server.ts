import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import { rejectPipelining } from '#http/pipelining.ts';
import { limitConnections } from './address-share.ts';
import { answer, type Offer } from './answer.ts';
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
