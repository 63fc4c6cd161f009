import { LandfallError } from '#contract/errors.ts';
import { hostAndPort } from '#contract/site/route.ts';
import { ipVersion } from '#platform/ip.ts';

/** SPEC 8, in milliseconds. */
const timeouts = { read: 15_000, connect: 8000 };

const kinds: Readonly<Record<string, 'http' | 'socks5'>> = {
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
  const { kind, host, port, login } = numericProxy(proxy, 'proxychains does not support');
  if (login.some((part) => /\s/.test(part))) {
    throw unsupported(
      'proxychains does not support a login with spaces',
      'Use another login as the route.',
    );
  }
  return `# Made by \`landfall route proxychains\`.
strict_chain
proxy_dns
tcp_read_time_out ${timeouts.read}
tcp_connect_time_out ${timeouts.connect}
localnet 127.0.0.0/255.0.0.0

[ProxyList]
${[kind, host, port, ...login].join(' ')}
`;
}

/**
 * Returns the parts of a proxy for programs without TLS that connect to IPv4 addresses only. A name
 * could get another address than rules have.
 * @param refusal the beginning of the error, such as `proxychains does not support`
 * @param otherwise the end of its hint
 * @throws LandfallError CONFIG_INVALID
 */
export function numericProxy(proxy: string, refusal: string, otherwise = ' as the route') {
  const url = new URL(proxy);
  const kind = kinds[url.protocol];
  const host = url.hostname;
  if (kind === undefined)
    throw unsupported(
      `${refusal} a proxy that is reached over TLS`,
      `Use its HTTP or SOCKS5 port${otherwise}.`,
    );
  if (ipVersion(host) !== 4)
    throw unsupported(
      `${refusal} a proxy without an IPv4 address`,
      `Use its IPv4 address${otherwise}.`,
    );
  const port = hostAndPort(url).slice(host.length + 1);
  const login = [url.username, url.password].map(decodeURIComponent).filter((part) => part !== '');
  return { kind, host, port, login };
}

function unsupported(message: string, hint: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', message, { hint });
}
