import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { LandfallError } from '#contract/errors.ts';
import { hostAndPort } from '#contract/site/route.ts';
import { readCertificates } from '#http/certificates.ts';
import { networkError } from '#http/failures.ts';
import type { NetworkOptions } from '#http/options.ts';
import { chooseProxy, type ProxyServer } from '#http/proxy.ts';
import { trustContext } from '#http/trust.ts';

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
  to: MailHost,
  network: NetworkOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const url = new URL(`https://${hostAndPortOf(to)}`);
  const proxy = chooseProxy(url, network);
  try {
    const socket = await open(to, proxy, network, signal);
    signal.addEventListener('abort', () => socket.destroy());
    return socket;
  } catch (cause) {
    if (cause instanceof LandfallError) throw cause;
    const { settings } = network;
    if (!signal.aborted) throw networkError(cause, { url, proxy: proxy?.url.host, settings });
    throw new LandfallError('NETWORK_TIMEOUT', `${url.host} did not respond in time`);
  }
}

function open(
  to: MailHost,
  proxy: ProxyServer | undefined,
  network: NetworkOptions,
  signal: AbortSignal,
): Promise<Socket> {
  if (proxy === undefined) return openDirectly(to, signal);
  if (proxy.kind === 'socks5') return openThroughSocks(to, proxy, signal);
  return openThroughHttp(to, proxy, network, signal);
}

function openDirectly({ host, port }: MailHost, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal });
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

async function openThroughSocks(
  { host, port }: MailHost,
  proxy: ProxyServer,
  signal: AbortSignal,
): Promise<Socket> {
  const { SocksClient } = await import('socks');
  const { username, password } = proxy;
  const [at = '', ofProxy = ''] = splitPort(hostAndPort(proxy.url));
  const client = new SocksClient({
    proxy: {
      host: at,
      port: Number(ofProxy),
      type: 5,
      ...(username === '' ? {} : { userId: username, password }),
    },
    command: 'connect',
    destination: { host, port },
  });
  return await new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('aborted'));
    signal.addEventListener('abort', giveUp, { once: true });
    client
      .on('established', ({ socket }) => (signal.aborted ? socket.destroy() : resolve(socket)))
      // The error of the library has the password in its fields.
      .on('error', () => reject(refusal(proxy, { host, port }, 'it rejected the connection')));
    client.connect();
  });
}

function openThroughHttp(
  to: MailHost,
  proxy: ProxyServer,
  { ca }: NetworkOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const [host = '', port = ''] = splitPort(hostAndPort(proxy.url));
  const path = hostAndPortOf(to);
  const login = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  const options = {
    host,
    port,
    path,
    method: 'CONNECT',
    agent: false as const,
    signal,
    headers: {
      host: path,
      ...(proxy.username === '' ? {} : { 'proxy-authorization': `Basic ${login}` }),
    },
  };
  const asking =
    proxy.url.protocol === 'https:'
      ? secureRequest(Object.assign(options, { secureContext: trustOf(ca) }))
      : plainRequest(options);
  return new Promise((resolve, reject) => {
    asking
      .once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
        if (statusCode < 200 || statusCode > 299) {
          socket.destroy();
          reject(refusal(proxy, to, `it responded with status ${statusCode}`));
          return;
        }
        // A mail server sends its greeting first, possibly with the response of the proxy.
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      })
      .once('response', (response) => {
        response.destroy();
        reject(refusal(proxy, to, `it responded with status ${response.statusCode}`));
      })
      .once('error', reject)
      .end();
  });
}

function trustOf(ca: string | undefined): SecureContext {
  return trustContext(ca === undefined ? [] : readCertificates(ca));
}

function refusal({ url }: ProxyServer, to: MailHost, reason: string): LandfallError {
  const message = `the proxy ${url.host} cannot reach ${hostAndPortOf(to)}: ${reason}`;
  return new LandfallError('NETWORK_PROXY', message, {
    hint: 'Many proxies allow only port 443: use a webhook, or a mail server that the proxy allows.',
  });
}

function hostAndPortOf({ host, port }: MailHost): string {
  return `${host}:${port}`;
}

/** Splits `host:port`; an IPv6 address has brackets. */
function splitPort(text: string): string[] {
  const at = text.lastIndexOf(':');
  return [text.slice(0, at).replace(/^\[|\]$/g, ''), text.slice(at + 1)];
}
