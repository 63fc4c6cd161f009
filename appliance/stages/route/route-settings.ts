import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import { bareHost, isExempt } from '#http/no-proxy.ts';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';
import {
  environmentFile,
  exemptions,
  hostRouteEnvironment,
  trustVariables,
} from '../../server/host/download/route-environment.ts';
import type { Host } from '../../server/host/host.ts';
import { install, type ManagedFile, remove, type Service } from '../../server/host/service.ts';
import type { Context } from '../../server/stage/stage.ts';
import { accessTo, loginProxy, loginSettings, subjectOf } from './login/login-settings.ts';

/** Returns the settings files of the route: a file that the site does not need has no text. */
export async function routeSettings({
  host,
  site,
}: {
  readonly host: Host;
  readonly site: Pick<Site, 'route' | 'mirrors' | 'ca'>;
}): Promise<Service> {
  const apt = aptProxy(site);
  const subject = subjectOf(site);
  const files = [
    {
      path: aptProxyFile,
      sets: { en: 'the proxy for packages', zh: '软件包的代理' },
      text: apt?.text,
      mode: apt?.mode ?? 0o644,
    },
    {
      path: proxyEnvFile,
      sets: { en: `${subject.en} for services`, zh: `服务的${subject.zh}` },
      text: proxyEnv(site),
      mode: 0o600,
    },
    ...(await loginSettings(host, site)),
    await proxychainsSettings(host, site),
  ];
  return { files };
}

/** Read by systemd (EnvironmentFile=) and by shells; only root may read it: it may contain a password. */
export const proxyEnvFile = 'etc/landfall/proxy.env';

/** Returns the variables of SPEC 2.2 (proxy and CA), one per line, or undefined if there are none. */
export function proxyEnv(site: Pick<Site, 'route' | 'ca'>): string | undefined {
  return environmentFile({ ...hostRouteEnvironment(site), ...trustVariables(site) }) || undefined;
}

/** Sorts after files of the image or the provider: apt uses the last value. */
export const aptProxyFile = 'etc/apt/apt.conf.d/99landfall-proxy';

/**
 * Returns apt's proxy settings, or undefined for a direct route. apt supports HTTP proxies and
 * `socks5h`, but has no setting like NO_PROXY: exempt hosts are listed by name.
 */
export function aptProxy(site: Pick<Site, 'route' | 'mirrors'>) {
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return undefined;
  const proxy = route.url.replace(/^socks5:/, 'socks5h:');
  const direct = exemptHosts(site);
  const lines = ['http', 'https'].flatMap((scheme) => [
    `Acquire::${scheme}::Proxy "${proxy}";`,
    ...direct.map((host) => `Acquire::${scheme}::Proxy::${host} "DIRECT";`),
  ]);
  const text = `// Made by Landfall: the proxy of the site.\n${lines.join('\n')}\n`;
  // The URL may contain a password; apt reads the file as root.
  return { proxy, text, mode: new URL(route.url).username === '' ? 0o644 : 0o600 };
}

/** Returns the plain host names of the site's no_proxy list, and its mirrors if they are exempt. */
function exemptHosts({ route, mirrors }: Pick<Site, 'route' | 'mirrors'>): string[] {
  const named = route.mode === 'direct' ? [] : route.no_proxy.filter((name) => plain.test(name));
  const near = [mirrors.apt, mirrors.apt_security]
    .filter((url) => url !== undefined)
    .map((url) => new URL(url))
    .filter((url) => isExempt(url, exemptions({ route })))
    .map(bareHost);
  return [...new Set([...named, ...near])];
}

const plain = /^[a-z0-9][a-z0-9.-]*$/i;

/** Settings of proxychains4; Debian's file in /etc stays unchanged. */
export const proxychainsPath = 'etc/landfall/proxychains.conf';

/**
 * Installs proxychains4 and writes its settings. A proxy with a login gives a file that only root and
 * the administrators can read.
 * @throws LandfallError APT_FAILED, CONFIG_INVALID
 */
export async function addProxychains({ host, site, report }: Context): Promise<void> {
  const file = { ...(await proxychainsSettings(host, site)), text: textFor(site) };
  await install(host, { packages: ['proxychains4'], files: [file] }, report);
}

/** Removes the settings of proxychains4. The package stays installed. */
export async function removeProxychains(host: Host): Promise<void> {
  await remove(host, { files: [{ path: proxychainsPath, text: undefined }] });
}

/** Returns the settings of proxychains4 for the route of the site, if they were added. */
async function proxychainsSettings(host: Host, site: Pick<Site, 'route'>): Promise<ManagedFile> {
  return {
    path: proxychainsPath,
    sets: { en: 'the proxy for proxychains4', zh: 'proxychains4 的代理' },
    text: (current) => (current === undefined ? undefined : textFor(site)),
    ...(await accessTo(host, loginProxy(site))),
  };
}

/** @throws LandfallError CONFIG_INVALID */
function textFor(site: Pick<Site, 'route'>): string | undefined {
  // With a SOCKS5 route the local HTTP proxy: it needs no login, and its server may be a name.
  const proxy = loginProxy(site);
  return proxy && proxychainsFile(proxy.url);
}
