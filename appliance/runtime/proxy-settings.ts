import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** The route as variables; see route-environment. */
type ProxyVariables = Readonly<Record<string, string>>;

export const proxyDropIn = 'etc/systemd/system/docker.service.d/10-landfall-proxy.conf';
export const clientSettingsFile = 'root/.docker/config.json';

/** The proxy variables of dockerd, readable by root only because of a password. */
export const dockerProxyFile = 'etc/landfall/engine-proxy.env';

/**
 * The drop-in with the proxy of dockerd, which works with Docker 20.10 to 29. The variables are in a
 * separate file, because systemd shows Environment= to all users (systemd.exec(5)).
 */
export const proxyDropInText = `[Service]\nEnvironmentFile=/${dockerProxyFile}\n`;

/**
 * Renders `config.json` of the command `docker`, so that manual containers and builds use the route.
 * The stack does not read this file, because Compose would copy a proxy's password into every
 * container. Other settings are kept; a proxy of an earlier route is removed.
 * @param current the current text of the file
 * @param earlier digests of proxies that we wrote, from {@link clientProxyDigest}
 * @returns an empty string if no file is needed; undefined if the current one is not JSON
 */
export function clientSettings(
  current: string | undefined,
  variables: ProxyVariables,
  earlier: readonly string[] = [],
): string | undefined {
  const settings = parseObject(current ?? '{}');
  if (!settings) return undefined;
  const { default: found, ...others } = objectOf(settings.proxies) ?? {};
  const isOurs = found !== undefined && earlier.includes(digestOf(found));
  const wanted = clientProxy(variables) ?? (isOurs ? undefined : found);
  // Keep the formatting of docker if nothing changes.
  if (isDeepStrictEqual(wanted, found)) return current ?? '';
  const proxies = { ...others, ...(wanted === undefined ? {} : { default: wanted }) };
  const { proxies: _, ...rest } = settings;
  const all = { ...rest, ...(Object.keys(proxies).length === 0 ? {} : { proxies }) };
  return Object.keys(all).length === 0 ? '' : `${JSON.stringify(all, null, 2)}\n`;
}

/** Returns the digest that identifies the proxy of {@link clientSettings}; empty without a route. */
export function clientProxyDigest(variables: ProxyVariables): string[] {
  const proxy = clientProxy(variables);
  return proxy === undefined ? [] : [digestOf(proxy)];
}

function clientProxy({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: ProxyVariables): object | undefined {
  if (HTTP_PROXY === undefined) return undefined;
  return { httpProxy: HTTP_PROXY, httpsProxy: HTTPS_PROXY, noProxy: NO_PROXY };
}

/** Returns a digest that is independent of the order of the fields. */
function digestOf(proxy: unknown): string {
  const fields = Object.entries(objectOf(proxy) ?? {}).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return value && typeof value === 'object' ? { ...value } : undefined;
}
