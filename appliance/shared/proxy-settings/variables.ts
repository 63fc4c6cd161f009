import { withPort } from '#contract/site/route.ts';

/** A proxy for the programs of a user. */
export interface ShellProxy {
  /** Scheme http, https, socks5 or socks5h; may contain a login. */
  readonly url: string;
  /** The value of NO_PROXY. */
  readonly noProxy: string;
}

const forHttp = ['http_proxy', 'https_proxy'];
const forSocks = ['all_proxy'];
const exemptions = ['no_proxy'];

/** The names of all variables, in lower and upper case, because programs differ in which they read. */
export const variableNames = [...forHttp, ...exemptions, ...forSocks].flatMap(bothCases);

/**
 * Returns the variables of SPEC 2.2, in both cases. A SOCKS5 proxy is `all_proxy` only: many programs
 * treat the value of `http_proxy` as an HTTP proxy, whatever its scheme. Its names are resolved at the
 * proxy.
 */
export function proxyVariables({ url, noProxy }: ShellProxy): Readonly<Record<string, string>> {
  const isSocks = /^socks5h?:/.test(url);
  const value = withPort(url).replace(/^socks5:/, 'socks5h:');
  const names = (isSocks ? forSocks : forHttp).flatMap(bothCases);
  return Object.fromEntries([
    ...names.map((name) => [name, value]),
    ...exemptions.flatMap(bothCases).map((name) => [name, noProxy]),
  ]);
}

function bothCases(name: string): string[] {
  return [name, name.toUpperCase()];
}

/** Formats the URL of a proxy for display: without its password, and without a user that has none. */
export function maskedUrl(text: string): string {
  const { protocol, username, password, host } = new URL(text);
  const login = password === '' ? username && '***@' : `${username}:***@`;
  return `${protocol}//${login}${host}`;
}

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
