import { LandfallError } from '#contract/errors.ts';
import { hostAndPort } from '#contract/site/route.ts';
import { ipVersion } from '#platform/ip.ts';

/** SPEC 8, in milliseconds. */
const timeouts = { read: 15_000, connect: 8000 };

const types: Readonly<Record<string, string>> = {
  'http:': 'http',
  'socks5:': 'socks5',
  'socks5h:': 'socks5',
};

/**
 * Renders proxychains.conf(5) with the settings of SPEC 4. Connections to loopback stay direct. The
 * result contains the login of the proxy.
 * @throws LandfallError CONFIG_INVALID for a proxy that proxychains does not support
 */
export function proxychainsFile(proxy: string): string {
  const url = new URL(proxy);
  const type = types[url.protocol];
  const host = url.hostname;
  if (type === undefined)
    throw unsupported('a proxy that is reached over TLS', 'Use its HTTP or SOCKS5 port');
  // proxychains4.conf: only numeric IPv4 addresses are valid.
  if (ipVersion(host) !== 4)
    throw unsupported('a proxy without an IPv4 address', 'Use its IPv4 address');
  const port = hostAndPort(url).slice(host.length + 1);
  const login = [url.username, url.password].map(decodeURIComponent).filter((part) => part !== '');
  if (login.some((part) => /\s/.test(part))) {
    throw unsupported('a login with spaces', 'Use another login');
  }
  return `# Made by \`landfall route proxychains\`.
strict_chain
proxy_dns
tcp_read_time_out ${timeouts.read}
tcp_connect_time_out ${timeouts.connect}
localnet 127.0.0.0/255.0.0.0

[ProxyList]
${[type, host, port, ...login].join(' ')}
`;
}

function unsupported(what: string, advice: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', `proxychains does not support ${what}`, {
    hint: `${advice} as the route.`,
  });
}
