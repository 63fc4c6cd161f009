import { hostAndPort } from '#contract/site/route.ts';

/**
 * The HTTP proxy on the loopback address of a server with a SOCKS5 route (decision 42). Port 7890 is
 * the usual port of proxy clients (SPEC 2.1).
 */
export const localProxy = { host: '127.0.0.1', port: 7890, url: 'http://127.0.0.1:7890' } as const;

/** Returns the line of tinyproxy.conf(5) that sends every request to another proxy. */
export function tinyproxyUpstream(proxy: string): string {
  const url = new URL(proxy);
  const { protocol, username, password } = url;
  const kind = protocol.startsWith('socks5') ? 'socks5' : 'http';
  const account = username
    ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}@`
    : '';
  return `Upstream ${kind} ${account}${hostAndPort(url)}`;
}
