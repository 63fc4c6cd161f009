import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { isOnLoopback } from '#contract/site/network/socks.ts';
import type { Host } from '../../host/host.ts';
import { serverAddresses } from '../../host/outside/addresses.ts';
import type { Context } from '../../stage/stage.ts';
import { endpointOf, socksUnit } from './render-unit.ts';

/** Milliseconds. The service listens some milliseconds after systemd reports its start. */
const [timeout, pause, attempts] = [3000, 200, 10];
/** RFC 1928, 3: version 5, one method, and its number. */
const offerNoLogin = Buffer.from([5, 1, 0]);
/** RFC 1928, 3: no acceptable methods. */
const refused = 0xff;

/**
 * Verifies that the SOCKS5 server of the site listens, and that it rejects clients without a login
 * unless it listens on loopback. A missing address is a warning: the server starts when it exists.
 * @throws LandfallError ROUTE_BLOCKED
 */
export async function proveSocks({ host, site: { socks }, report }: Context): Promise<void> {
  if (!socks) return;
  const { listen, port } = socks;
  const endpoint = endpointOf(socks);
  if (!isOnLoopback(socks) && !(await hasAddress(host, listen))) {
    const text = `the SOCKS5 server waits for its address ${listen}, which this server does not have`;
    return report.warn({ kind: 'route', subject: 'socks', text });
  }
  const method = await host.outside.measure(() => firstAnswer(listen, port));
  if (method === (isOnLoopback(socks) ? 0 : refused)) return;
  if (method !== undefined) {
    throw new LandfallError('ROUTE_BLOCKED', `${endpoint} is not the SOCKS5 server of the site`, {
      hint: 'Stop the other program at this port, or set another socks.port.',
      retriable: false,
    });
  }
  throw new LandfallError('ROUTE_BLOCKED', `the SOCKS5 server does not listen at ${endpoint}`, {
    hint: `Check: sudo systemctl status ${socksUnit}. Another program may use the port.`,
  });
}

async function hasAddress(host: Host, listen: string): Promise<boolean> {
  const { v4, v6 } = await serverAddresses(host);
  return [...v4, ...v6].includes(listen);
}

async function firstAnswer(host: string, port: number): Promise<number | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await sleep(pause);
    const method = await chosenMethod(host, port);
    if (method !== undefined) return method;
  }
  return undefined;
}

/** Returns the method that the server chooses; -1 for another protocol; undefined without a reply. */
async function chosenMethod(host: string, port: number): Promise<number | undefined> {
  const socket = connect({ host, port, timeout });
  try {
    return await new Promise<number | undefined>((resolve) => {
      socket
        .on('connect', () => socket.write(offerNoLogin))
        .on('data', (reply: Buffer) => resolve(reply[0] === 5 ? (reply[1] ?? -1) : -1))
        .on('timeout', () => resolve(undefined))
        .on('error', () => resolve(undefined))
        .on('close', () => resolve(undefined));
    });
  } finally {
    socket.destroy();
  }
}
