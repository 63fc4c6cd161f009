import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { addressHeader } from '../headers.ts';

/**
 * How long the address of the gateway is used, in milliseconds. Docker gives the address of a stopped
 * container to the next one that starts.
 */
const lifetime = 1000;

/** Returns the addresses of a host; none for one that does not exist. */
async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Returns the address of the client of a request; undefined once it has disconnected. */
export type AddressOf = (incoming: IncomingMessage) => Promise<string | undefined>;

/**
 * Returns a function that finds the address of a client: that of the connection, or the one in the header
 * of the gateway. The header of any other peer is ignored, because every client can send one.
 * @param gateway host name of the gateway; undefined without one
 * @param now monotonic clock, in milliseconds
 * @param resolve returns the addresses of a host
 */
export function clientAddresses(
  gateway: string | undefined,
  now: () => number = () => performance.now(),
  resolve = addressesOf,
): AddressOf {
  let known: Promise<readonly string[]> | undefined;
  let until = 0;
  return async ({ headers, socket }) => {
    const peer = socket.remoteAddress?.replace(/^::ffff:/, '');
    const named = headers[addressHeader];
    if (gateway === undefined || peer === undefined || typeof named !== 'string') return peer;
    if (!known || now() >= until) {
      until = now() + lifetime;
      known = resolve(gateway);
    }
    return (await known).includes(peer) ? named : peer;
  };
}
