import type { Socket } from 'node:net';
import { LandfallError } from '#contract/errors.ts';
import { networkError } from '#http/failures.ts';
import type { NetworkOptions } from '#http/options.ts';
import { chooseProxy } from '#http/proxy.ts';
import { systemNetwork } from '#probe/exchange/network.ts';
import { openConnection } from '#probe/exchange/send.ts';

/** A mail server. */
interface MailHost {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a connection to a mail server over the route: direct, through CONNECT of an HTTP proxy, or
 * through SOCKS5. The proxy resolves the name.
 * @param signal ends the attempt, and later the connection
 * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY
 */
export async function mailSocket(
  { host, port }: MailHost,
  network: NetworkOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const url = new URL(`https://${host}:${port}`);
  const proxy = chooseProxy(url, network);
  // A mail server sends its greeting first, possibly with the response of the proxy.
  const opening = openConnection(url, { proxy }, systemNetwork(network.ca), true);
  signal.addEventListener('abort', () =>
    opening.then(
      (socket) => socket.destroy(),
      () => {},
    ),
  );
  try {
    return await Promise.race([opening, endOf(signal)]);
  } catch (cause) {
    const { settings } = network;
    if (signal.aborted)
      throw new LandfallError('NETWORK_TIMEOUT', `${url.host} did not respond in time`);
    if (!(cause instanceof LandfallError))
      throw networkError(cause, { url, proxy: proxy?.url.host, settings });
    const message = `the proxy ${proxy?.url.host} cannot reach ${host}:${port}: ${cause.message}`;
    throw new LandfallError('NETWORK_PROXY', message, {
      hint: 'Many proxies allow only port 443: use a webhook, or a mail server that the proxy allows.',
    });
  }
}

/** Rejects when the signal aborts. */
export function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timed out')), { once: true });
  });
}
