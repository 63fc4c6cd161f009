import { hostAndPort } from '#contract/site/route.ts';

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
