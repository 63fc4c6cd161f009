import { LandfallError } from '#contract/errors.ts';
import { bareHost, isExempt } from './no-proxy.ts';
import type { NetworkOptions } from './options.ts';

/** A proxy. Credentials are separate from the URL, so that no message contains them. */
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
 * Returns the proxy for a URL, or undefined for a direct connection. A proxy option applies to all
 * URLs. A proxy of the environment does not apply to loopback or to hosts in NO_PROXY.
 * @throws LandfallError NETWORK_PROXY for an invalid proxy URL
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

/** Reads a variable, lower case first like curl. */
function read(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name] || env[name.toUpperCase()] || '').trim();
}

/** Returns whether a URL refers to this machine, which a remote proxy cannot reach. */
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
    // No cause: it would contain the text, which may include a password.
    throw new LandfallError('NETWORK_PROXY', `the value of ${where} is not a proxy URL`, {
      hint: 'Use http://host:port, https://host:port or socks5://user:password@host:port, with special characters percent-encoded.',
    });
  }
}
