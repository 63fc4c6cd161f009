import type { Site } from '#contract/site/site.ts';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';
import { readText, removeFile } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { installPackages } from '../host/packages/apt.ts';
import type { Context } from '../stage/stage.ts';
import { administrators, loginProxy } from './login/login-settings.ts';
import { type Setting, settle } from './setting.ts';

/** Settings of proxychains4; Debian's file in /etc stays unchanged. */
export const proxychainsPath = 'etc/landfall/proxychains.conf';

/**
 * Installs proxychains4 and writes its settings. A proxy with a login gives a file that only root and
 * the administrators can read.
 * @throws LandfallError APT_FAILED, CONFIG_INVALID
 */
export async function addProxychains({ host, site, report }: Context): Promise<void> {
  const setting = await settingFor(host, site, true);
  await installPackages(host, ['proxychains4'], (line) => report.say(line));
  await settle(host, setting);
}

/** Removes the settings of proxychains4. The package stays installed. */
export async function removeProxychains(host: Host): Promise<void> {
  await removeFile(host, proxychainsPath);
}

/**
 * Returns the settings of proxychains4 for the route of the site; without a text if they were not
 * added. @throws LandfallError CONFIG_INVALID
 */
export async function proxychainsSetting(host: Host, site: Pick<Site, 'route'>): Promise<Setting> {
  const isAdded = (await readText(host, proxychainsPath)) !== undefined;
  return await settingFor(host, site, isAdded);
}

async function settingFor(
  host: Host,
  site: Pick<Site, 'route'>,
  isAdded: boolean,
): Promise<Setting> {
  // With a SOCKS5 route the local HTTP proxy: it needs no login, and its server may be a name.
  const proxy = isAdded ? loginProxy(site) : undefined;
  const hasLogin = proxy !== undefined && new URL(proxy.url).username !== '';
  return {
    path: proxychainsPath,
    purpose: 'proxychains4',
    text: proxy && proxychainsFile(proxy.url),
    mode: hasLogin ? 0o640 : 0o644,
    gid: hasLogin ? await administrators(host) : undefined,
  };
}
