import { existsSync } from 'node:fs';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import { noProxyText } from '#proxy-settings/exemptions.ts';
import { localProxy } from '#proxy-settings/local-proxy.ts';
import { withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';
import { fishFunctions, posixFunctions } from '#proxy-settings/shell-functions.ts';
import { shellValues } from '#proxy-settings/shell-values.ts';
import { type ShellProxy, variableNames } from '#proxy-settings/variables.ts';
import type { Host } from '../../host/host.ts';
import type { ManagedFile } from '../../host/service.ts';
import { trustVariables } from '../../host/trust-variables.ts';
import { fishFolder, origin, profileFileOf, profileSettings } from './profile.ts';
import { keptBySudo, sudoersFile, verifySudoers } from './sudoers.ts';

/** The variables of login shells. It may contain a password, so it is separate from the functions. */
export const loginValuesFile = 'etc/landfall/login-proxy.sh';
/** Read by login shells that are sh or bash. */
export const profileFile = 'etc/profile.d/landfall-proxy.sh';
/** zsh reads no /etc/profile.d, and has no folder for such files. */
const zshFile = 'etc/zsh/zprofile';

/** Returns what files set that contain both the proxy and the certificate authorities of a site. */
export function subjectOf({ route, ca }: Pick<Site, 'route' | 'ca'>): string {
  return route.mode === 'direct' && ca !== undefined ? 'the certificate authorities' : 'the proxy';
}

/**
 * Returns the files that give login shells the route, the certificate authorities and the model hub
 * of the site; without a text for what the site does not have.
 */
export async function loginSettings(
  host: Host,
  site: Pick<Site, 'route' | 'mirrors' | 'ca'>,
): Promise<ManagedFile[]> {
  const proxy = loginProxy(site);
  const hasLogin = proxy !== undefined && new URL(proxy.url).username !== '';
  const kept = [...(proxy ? variableNames : []), ...Object.keys(trustVariables(site))];
  const profiles = profilesOf(site);
  const zshFiles = [
    ...(proxy ? [profileFile] : []),
    ...profiles
      .filter(({ variables }) => Object.keys(variables).length > 0)
      .map(({ name }) => profileFileOf(name)),
  ];
  const sets = `${subjectOf(site)} for login shells`;
  const files = { origin, values: `/${loginValuesFile}` };
  const setting = (path: string, text: string, mode = 0o644) => ({
    ...{ path, sets: 'the proxy for login shells', mode },
    text: proxy && text,
  });
  return [
    {
      ...setting(
        loginValuesFile,
        proxy ? shellValues(origin, proxy) : '',
        hasLogin ? 0o640 : 0o644,
      ),
      gid: hasLogin ? await administrators(host) : undefined,
    },
    setting(profileFile, posixFunctions(files)),
    ...(existsSync(host.path(fishFolder))
      ? [setting(`${fishFolder}/landfall-proxy.fish`, fishFunctions(files, true))]
      : []),
    ...profiles.flatMap((profile) => profileSettings(host, profile)),
    { path: zshFile, sets, text: (current) => withProfiles(current, zshFiles) },
    {
      ...{ path: sudoersFile, sets, mode: 0o440, verify: verifySudoers },
      text: kept.length > 0 ? keptBySudo(kept) : undefined,
    },
  ];
}

/** Returns the variables that login shells have without a proxy too; `proxy_off` keeps them. */
function profilesOf(site: Pick<Site, 'mirrors' | 'ca'>) {
  const { hub, npm, pip } = site.mirrors;
  const exported = (name: string, url: string | undefined) =>
    url === undefined ? {} : { [name]: url.replace(/\/+$/, '') };
  return [
    { name: 'ca', subject: 'the certificate authorities', variables: trustVariables(site) },
    {
      ...{ name: 'hub', subject: 'the mirror of the model hub' },
      // SPEC 2.2. Containers do not get it: Open WebUI works offline.
      variables: exported('HF_ENDPOINT', hub),
    },
    {
      ...{ name: 'packages', subject: 'the mirrors of npm and pip' },
      variables: { ...exported('NPM_CONFIG_REGISTRY', npm), ...exported('PIP_INDEX_URL', pip) },
    },
  ];
}

/** Returns the proxy of login shells, which resolve no names of containers. */
export function loginProxy(site: Pick<Site, 'route'>): ShellProxy | undefined {
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return undefined;
  const url = route.mode === 'socks5' ? localProxy.url : route.url;
  return { url, noProxy: noProxyText(route.no_proxy) };
}

/** Returns zsh's file, which belongs to the package zsh-common, with our block. */
function withProfiles(current: string | undefined, profiles: readonly string[]) {
  if (current === undefined) return undefined;
  const lines = profiles.map((path) => `if [ -r /${path} ]; then . /${path}; fi\n`).join('');
  return lines ? withBlock(current, lines) : withoutBlock(current);
}

/** Returns the ID of the group sudo, which Debian and Ubuntu always have (base-passwd). */
export async function administrators(host: Host): Promise<number> {
  const { stdout } = await host.run('getent', ['group', 'sudo'], { accept: [2] });
  // Only root can read the file if there is no such group.
  return Number(stdout.split(':')[2] || process.getgid?.() || 0);
}
