/**
 * Destinations that every program reaches without the proxy. Some are listed in several notations
 * (addresses and networks, `.local` and `*.local`), because programs differ in which they support.
 */
const always = [
  'localhost',
  '127.0.0.1',
  '::1',
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
  '.local',
  '*.local',
  'host.docker.internal',
];

/**
 * Returns the value of NO_PROXY (SPEC 2.2): the built-in exemptions, services of a container network
 * and the entries of the user.
 * @param own entries with the meaning of {@link isExempt} in `#http/no-proxy.ts`
 * @param services names that only containers resolve
 */
export function noProxyText(own: readonly string[], services: readonly string[] = []): string {
  const names = services.flatMap((name) => [name, `.${name}`]);
  return [...new Set([...always, ...names, ...own.flatMap(notations)])].join(',');
}

/**
 * Returns an entry in all notations that it needs. Node and axios match `example.com` exactly, and
 * most programs do not support `*.example.com`; all match subdomains of `.example.com`.
 */
function notations(entry: string): string[] {
  if (entry.startsWith('*.')) return [entry, entry.slice(1)];
  return domain.test(entry) ? [entry, `.${entry}`] : [entry];
}

/** A domain of at least two labels; the last one has a letter, so it is no address. */
const domain = /^(?:[a-z0-9_-]+\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/i;
