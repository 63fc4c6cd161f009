import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** The route as variables; see route-environment. */
type ProxyVariables = Readonly<Record<string, string>>;

export const proxyDropIn = 'etc/systemd/system/docker.service.d/10-landfall-proxy.conf';
export const clientSettingsFile = 'root/.docker/config.json';

/** The engine's proxy, with its password, for root alone. */
export const engineProxyFile = 'etc/landfall/engine-proxy.env';

/**
 * The drop-in that gives the engine its proxy: the one way that engines 20.10 to 29 all take. The
 * variables are in a file of their own, because systemd tells everybody on the server what stands
 * in Environment= (systemd.exec(5)).
 */
export const proxyDropInText = `[Service]\nEnvironmentFile=/${engineProxyFile}\n`;

/**
 * `config.json` of the command `docker`, for what a person runs by hand: containers and builds get
 * the route. The stack does not read this file: Compose would put a proxy's password into every
 * container. What else is in the file stays; a proxy that an earlier run put there goes with its
 * route.
 * @param current the text of the file as it is; one that is not JSON is left alone
 * @param earlier digests of the proxies that are ours, as {@link clientProxyDigest} gives them
 * @returns empty where there need be no file; nothing where it is not JSON
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
  // What docker itself wrote need not be written as we would.
  if (isDeepStrictEqual(wanted, found)) return current ?? '';
  const proxies = { ...others, ...(wanted === undefined ? {} : { default: wanted }) };
  const { proxies: _, ...rest } = settings;
  const all = { ...rest, ...(Object.keys(proxies).length === 0 ? {} : { proxies }) };
  return Object.keys(all).length === 0 ? '' : `${JSON.stringify(all, null, 2)}\n`;
}

/** Tells the proxy that {@link clientSettings} writes from the owner's; none without a route. */
export function clientProxyDigest(variables: ProxyVariables): string[] {
  const proxy = clientProxy(variables);
  return proxy === undefined ? [] : [digestOf(proxy)];
}

function clientProxy({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: ProxyVariables): object | undefined {
  if (HTTP_PROXY === undefined) return undefined;
  return { httpProxy: HTTP_PROXY, httpsProxy: HTTPS_PROXY, noProxy: NO_PROXY };
}

/** The same in whatever order its fields were written. */
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
