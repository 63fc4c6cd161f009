import type { Site } from '#contract/site/site.ts';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';
import type { Host } from '../host/host.ts';
import { install, type ManagedFile, remove } from '../host/service.ts';
import type { Context } from '../stage/stage.ts';
import { administrators, loginProxy } from './login/login-settings.ts';

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
export async function proxychainsSettings(
  host: Host,
  site: Pick<Site, 'route'>,
): Promise<ManagedFile> {
  const proxy = loginProxy(site);
  const hasLogin = proxy !== undefined && new URL(proxy.url).username !== '';
  return {
    path: proxychainsPath,
    sets: 'the proxy for proxychains4',
    text: (current) => (current === undefined ? undefined : textFor(site)),
    mode: hasLogin ? 0o640 : 0o644,
    gid: hasLogin ? await administrators(host) : undefined,
  };
}

/** @throws LandfallError CONFIG_INVALID */
function textFor(site: Pick<Site, 'route'>): string | undefined {
  // With a SOCKS5 route the local HTTP proxy: it needs no login, and its server may be a name.
  const proxy = loginProxy(site);
  return proxy && proxychainsFile(proxy.url);
}
