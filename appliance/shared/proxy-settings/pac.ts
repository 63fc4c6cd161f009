import { hostAndPort } from '#contract/site/route.ts';

/**
 * Renders a PAC file: browsers and editors reach private names and addresses directly, and everything
 * else through the proxy. It has no login, because PAC files have none; the browser prompts for it. It
 * resolves no names: `dnsResolve` blocks the browser and shows the names to the local resolver. ES5,
 * because some programs do not support more.
 * @param own entries as in NO_PROXY; networks and entries with a port are left out
 */
export function pacFile(url: string, own: readonly string[]): string {
  const target = new URL(url);
  const kind = target.protocol.startsWith('socks') ? 'SOCKS5' : kinds[target.protocol];
  const names = own.map((entry) => entry.toLowerCase().replace(/^\*\./, '.')).filter(isName);
  return `function FindProxyForURL(url, host) {
  host = host.toLowerCase().replace(/^\\[|\\]$/g, '').replace(/\\.$/, '');
  if (host.indexOf('.') < 0 && host.indexOf(':') < 0) return 'DIRECT';
  if (${privateAddress}.test(host)) return 'DIRECT';
  var names = ${JSON.stringify(['.local', '.localhost', ...names])};
  for (var i = 0; i < names.length; i++) {
    var name = names[i], suffix = name.charAt(0) === '.' ? name : '.' + name;
    if (host === name || host.slice(-suffix.length) === suffix) return 'DIRECT';
  }
  return '${kind} ${hostAndPort(target)}';
}
`;
}

const kinds: Readonly<Record<string, string>> = { 'http:': 'PROXY', 'https:': 'HTTPS' };

/** Loopback, private and link-local addresses. */
const privateAddress =
  /^(?:(?:127|10)(?:\.\d+){3}|192\.168(?:\.\d+){2}|169\.254(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)$/;

/** Returns whether an entry is a name or an address, without a port or a prefix length. */
function isName(entry: string): boolean {
  return /^\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(entry);
}
