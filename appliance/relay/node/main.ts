import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname, resolve } from 'node:path';
import { exitCodeOf, LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { isMissing } from '#files/open-regular.ts';
import { rejectPipelining } from '#http/pipelining.ts';
import type { Access } from '../access.ts';
import type { RelayConfig } from '../config.ts';
import { handle } from '../handle.ts';
import { type KeySource, openRelay } from '../open-relay.ts';
import { readConfig } from '../read-config.ts';
import { listenerFor } from './listener.ts';
import { openOutbound } from './outbound.ts';

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
function loadConfig(path: string, env: NodeJS.ProcessEnv): LoadedConfig {
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

/** A relay that accepts requests. */
export interface RunningRelay {
  /** `http://host:port` */
  readonly url: string;
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
/** Each connection may hold unread data in the kernel, so their number is limited. */
const connectionsPerRequest = 4;

/**
 * Starts a relay on this machine.
 * @param log receives one entry per request
 * @throws LandfallError NETWORK_TLS; system errors of listen(2)
 */
export async function serve(
  { config, ca, keyOf }: LoadedConfig,
  log: (access: Access) => void,
): Promise<RunningRelay> {
  const outbound = openOutbound(config, ca);
  const relay = openRelay(config, { keyOf, send: outbound.send, log });
  const listener = listenerFor((request) => handle(request, relay), config.timeouts.client * 1000);
  const server = createServer(httpLimits, rejectPipelining(listener));
  limitConnections(server, config.concurrency * connectionsPerRequest);
  server.listen(config.listen.port, config.listen.host);
  await once(server, 'listening');
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async stop(gracePeriod) {
      await closed(server, gracePeriod);
      await outbound.close();
    },
  };
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
  server.on('request', ({ socket }, response) => {
    waiting.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) waiting.add(socket);
    });
  });
}

/** Settings file without LANDFALL_RELAY_CONFIG. */
const defaultPath = '/etc/landfall-relay/relay.json';
/** Milliseconds. Docker sends SIGKILL ten seconds after SIGTERM. */
const gracePeriod = 8000;

function stopOnSignal(relay: RunningRelay): void {
  const stop = () => void relay.stop(gracePeriod).then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** A system error, such as a port in use, is not a bug, so no stack trace is printed. */
function describe(error: unknown): string {
  const label = 'landfall-relay:';
  if (error instanceof LandfallError) return formatError(error, { label });
  return `${label} ${error instanceof Error ? error.message : String(error)}`;
}

/** `relay.mjs` starts the relay. `relay.mjs health` checks the running relay for Docker. */
try {
  const { config, ...rest } = loadConfig(
    process.env.LANDFALL_RELAY_CONFIG || defaultPath,
    process.env,
  );
  if (process.argv[2] === 'health') {
    const { port } = config.listen;
    const answer = await fetch(`http://127.0.0.1:${port}/health`);
    process.exitCode = answer.ok ? 0 : 1;
  } else {
    const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
    const relay = await serve({ config, ...rest }, say);
    say({ time: new Date().toISOString(), listening: relay.url, route: config.route.mode });
    stopOnSignal(relay);
  }
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
