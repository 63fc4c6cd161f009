import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Access } from '../access.ts';
import { handle } from '../handle.ts';
import { openRelay } from '../open-relay.ts';
import { listenerFor } from './listener.ts';
import type { LoadedConfig } from './load-config.ts';
import { openOutbound } from './outbound.ts';

/** A relay that listens. */
export interface RunningRelay {
  /** `http://host:port` */
  readonly url: string;
  /**
   * Takes no more requests, lets those under way finish, and cuts what is left.
   * @param gracePeriod milliseconds
   */
  stop(gracePeriod: number): Promise<void>;
}

/** Slow senders of heads hold a connection; they get less time than people need. */
const httpLimits = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
} as const;
/** Four for each request that may be under way: what a client does not take stays in the kernel. */
const connectionsPerRequest = 4;

/**
 * Starts a relay on this machine.
 * @param log takes one entry a request
 * @throws LandfallError NETWORK_TLS; what listening throws
 */
export async function serve(
  { config, ca, keyOf }: LoadedConfig,
  log: (access: Access) => void,
): Promise<RunningRelay> {
  const outbound = openOutbound(config, ca);
  const relay = openRelay(config, { keyOf, send: outbound.send, log });
  const server = createServer(
    httpLimits,
    listenerFor((request) => handle(request, relay), config.timeouts.client * 1000),
  );
  server.maxConnections = config.concurrency * connectionsPerRequest;
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
