/** The route as variables; see route-environment. */
export type ProxyVariables = Readonly<Record<string, string>>;

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
 * container. What else is in the file stays.
 * @param current the text of the file as it is; one that is not JSON is left alone
 */
export function clientSettings(
  current: string | undefined,
  { HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: ProxyVariables,
): string | undefined {
  const settings = parseObject(current ?? '{}');
  if (!settings) return undefined;
  const proxies = {
    default: { httpProxy: HTTP_PROXY, httpsProxy: HTTPS_PROXY, noProxy: NO_PROXY },
  };
  return `${JSON.stringify({ ...settings, proxies }, null, 2)}\n`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
