import { LandfallError } from '#contract/errors.ts';
import { bareHost, isExempt } from './no-proxy.ts';
import type { NetworkOptions } from './options.ts';

/** A proxy, its credentials apart from its address so that no message can carry them. */
export interface ProxyServer {
  readonly kind: 'http' | 'socks5';
  /** Without user and password. */
  readonly url: URL;
  readonly username: string;
  readonly password: string;
}

const kinds: Readonly<Record<string, ProxyServer['kind']>> = {
  'http:': 'http',
  'https:': 'http',
  'socks5:': 'socks5',
  'socks5h:': 'socks5',
  'socks:': 'socks5',
};

/**
 * The proxy for a URL, or undefined for a direct connection. A proxy given by option serves
 * everything; one of the environment never serves loopback nor what NO_PROXY exempts.
 * @throws LandfallError NETWORK_PROXY when the setting is no proxy URL
 */
export function chooseProxy(url: URL, options: NetworkOptions): ProxyServer | undefined {
  if (options.proxy !== undefined && options.proxy !== '') {
    return readProxy(options.proxy, 'the proxy option');
  }
  const env = options.env ?? process.env;
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const name = [scheme, 'all_proxy'].find((candidate) => read(env, candidate) !== '');
  if (name === undefined || isLoopback(url) || isExempt(url, read(env, 'no_proxy')))
    return undefined;
  return readProxy(read(env, name), name.toUpperCase());
}

/** Lower case first, as curl does. */
function read(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name] || env[name.toUpperCase()] || '').trim();
}

/** Names and addresses of this machine: a proxy elsewhere would reach its own. */
export function isLoopback(url: URL): boolean {
  const host = bareHost(url);
  return host === 'localhost' || host.endsWith('.localhost') || isExempt(url, '127.0.0.0/8,::1');
}

function readProxy(text: string, where: string): ProxyServer {
  try {
    const url = new URL(text.includes('://') ? text : `http://${text}`);
    const kind = kinds[url.protocol];
    if (kind === undefined || url.hostname === '') throw new TypeError('not a proxy');
    const username = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    return { kind, url: new URL(`${url.protocol}//${url.host}`), username, password };
  } catch {
    // The cause is left out: it would carry the text, and with it a password.
    throw new LandfallError('NETWORK_PROXY', `the value of ${where} is not a proxy URL`, {
      hint: 'Write it as http://host:port, https://host:port or socks5://user:password@host:port, with special characters percent-encoded.',
    });
  }
}
