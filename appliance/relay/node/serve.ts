import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { isMissing } from '#files/open-regular.ts';
import { rejectPipelining } from '#http/pipelining.ts';
import type { UsageProblem } from '../budget/usage-event.ts';
import { type RelayConfig, readConfig } from '../config.ts';
import type { Access } from '../env.ts';
import { handle } from '../handle.ts';
import { type KeySource, openRelay } from '../open-relay.ts';
import { clientAddresses } from './client-address.ts';
import { listenerFor } from './listener.ts';
import { openOutbound } from './outbound.ts';
import { openUsage } from './usage/open-usage.ts';

/** A relay that accepts requests. */
export interface RunningRelay {
  /** `http://host:port` */
  readonly url: string;
  /** Why keys with a budget are refused; undefined if they are not. */
  readonly usageProblem: UsageProblem | undefined;
  /**
   * Stops accepting requests, waits for those in progress, and then closes the remaining connections.
   * @param gracePeriod milliseconds to wait
   */
  stop(gracePeriod: number): Promise<void>;
}

/** A short `headersTimeout` limits how long slow clients can hold a connection. */
const httpLimits = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  // How often both are checked. The default is 30 s.
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
} as const;
/**
 * Docker's health check gets a socket of its own, which Linux prefers for its address: Node accepts one
 * connection in each turn of its loop, so a check would wait behind all clients that are connecting.
 */
const [anyAddress, loopback] = ['0.0.0.0', '127.0.0.1'];
/** Each connection may hold unread data in the kernel, so their number is limited. */
const connectionsPerRequest = 4;

/**
 * Starts a relay on this machine.
 * @param log receives one entry per request
 * @param now milliseconds since 1970
 * @throws LandfallError NETWORK_TLS; system errors of listen(2)
 */
export async function serve(
  { config, ca, keyOf }: LoadedConfig,
  log: (access: Access) => void,
  now: () => number = Date.now,
): Promise<RunningRelay> {
  const outbound = openOutbound(config, ca);
  const usage =
    config.usage_folder === undefined ? undefined : await openUsage(config.usage_folder, now);
  const relay = openRelay(config, { keyOf, send: outbound.send, log, usage, now });
  const listener = listenerFor(
    (request) => handle(request, relay),
    config.timeouts.client * 1000,
    clientAddresses(config.gateway),
  );
  const listen = rejectPipelining(listener);
  const open = async (port: number, host: string) => {
    const server = createServer(httpLimits, listen);
    // Otherwise Node asks for the body before the key is checked.
    server.on('checkContinue', listen);
    limitConnections(server, config.concurrency * connectionsPerRequest);
    // Some other systems reject the option; only developers run a relay there.
    server.listen({ port, host, reusePort: process.platform === 'linux' });
    await once(server, 'listening');
    return server;
  };
  const server = await open(config.listen.port, config.listen.host);
  const { address, port, family } = server.address() as AddressInfo;
  const local = address === anyAddress ? await open(port, loopback).catch(ifShared) : undefined;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    usageProblem: usage?.problem,
    async stop(gracePeriod) {
      await Promise.all([server, local].map((server) => server && closed(server, gracePeriod)));
      await outbound.close();
      await usage?.close();
    },
  };
}

/** Node 20 cannot listen twice on a port; the check then waits with the others. */
function ifShared(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EADDRINUSE') throw error;
}

async function closed(server: Server, gracePeriod: number): Promise<void> {
  const done = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), gracePeriod);
  await done;
  clearTimeout(timer);
}

/**
 * Limits the open connections. Above the limit, the connection closes that has waited longest for a
 * request: clients that send half a header cannot keep others out.
 */
function limitConnections(server: Server, max: number): void {
  const waiting = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    waiting.add(socket);
    socket.once('close', () => {
      open -= 1;
      waiting.delete(socket);
    });
    if (open <= max) return;
    // Never empty: the new connection has no request yet.
    const [oldest = socket] = waiting;
    waiting.delete(oldest);
    oldest.destroy();
  });
  for (const event of ['request', 'checkContinue'])
    server.on(event, ({ socket }: IncomingMessage, response: ServerResponse) => {
      waiting.delete(socket);
      response.once('close', () => {
        if (!socket.destroyed) waiting.add(socket);
      });
    });
}

/** The settings and the files that they refer to. */
interface LoadedConfig {
  readonly config: RelayConfig;
  /** PEM of additional authorities. */
  readonly ca: string | undefined;
  /** Returns undefined for a missing key: the administrator may set it later. */
  readonly keyOf: (source: KeySource) => string | undefined;
}

/**
 * Reads the settings. Called once, at startup.
 * @param path settings file, JSON
 * @throws LandfallError CONFIG_MISSING, CONFIG_SYNTAX, CONFIG_INVALID, FILE_ACCESS
 */
export function loadConfig(path: string, env: NodeJS.ProcessEnv): LoadedConfig {
  const config = readConfig(demand(path), path);
  const beside = (file: string) => resolve(dirname(path), file);
  return {
    config,
    ca: config.ca_file === undefined ? undefined : demand(beside(config.ca_file)),
    keyOf: (source) => ('file' in source ? read(beside(source.file)) : env[source.variable]),
  };
}

function demand(path: string): string {
  const text = read(path);
  if (text !== undefined) return text;
  throw new LandfallError('CONFIG_MISSING', `file not found: ${path}`, {
    hint: 'Set LANDFALL_RELAY_CONFIG to the settings file of the relay, and check the paths in it.',
  });
}

/** Returns undefined when the file does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new LandfallError('FILE_ACCESS', `cannot read ${path}`, {
      hint: 'Change the owner of the file to user 65532, which runs the relay.',
      cause: error,
    });
  }
}
