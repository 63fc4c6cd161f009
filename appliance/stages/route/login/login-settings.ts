import { existsSync } from 'node:fs';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import type { Text } from '#contract/text/language.ts';
import { localProxy } from '#proxy-settings/local-proxy.ts';
import { withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';
import {
  fishFunctions,
  posixFunctions,
  quoted,
  shellValues,
} from '#proxy-settings/shell-functions.ts';
import { noProxyText, type ShellProxy, variableNames } from '#proxy-settings/variables.ts';
import { groupId } from '../../../server/host/account.ts';
import { trustVariables } from '../../../server/host/download/route-environment.ts';
import { withCandidate } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import type { ManagedFile } from '../../../server/host/service.ts';

/** The variables of login shells. It may contain a password, so it is separate from the functions. */
export const loginValuesFile = 'etc/landfall/login-proxy.sh';
/** zsh reads no /etc/profile.d, and has no folder for such files. */
const zshFile = 'etc/zsh/zprofile';

/** Returns what files set that contain both the proxy and the certificate authorities of a site. */
export function subjectOf({ route, ca }: Pick<Site, 'route' | 'ca'>): Text {
  return route.mode === 'direct' && ca !== undefined
    ? { en: 'the certificate authorities', zh: 'CA 证书' }
    : { en: 'the proxy', zh: '代理' };
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
  const variables = [...(proxy ? variableNames : []), ...Object.keys(trustVariables(site))];
  const profiles = profilesOf(site, proxy);
  const zshFiles = profiles.filter(({ sh }) => sh).map(({ name }) => profileFileOf(name));
  const subject = subjectOf(site);
  const sets = { en: `${subject.en} for login shells`, zh: `登录 shell 的${subject.zh}` };
  return [
    {
      ...{
        path: loginValuesFile,
        sets: { en: 'the proxy for login shells', zh: '登录 shell 的代理' },
      },
      text: proxy && shellValues(origin, proxy),
      ...(await accessTo(host, proxy)),
    },
    ...profiles.flatMap((profile) => profileSettings(host, profile)),
    { path: zshFile, sets, text: (current) => withProfiles(current, zshFiles) },
    {
      ...{ path: sudoersFile, sets, mode: 0o440, verify: verifySudoers },
      text: variables.length > 0 ? keptBySudo(variables) : undefined,
    },
  ];
}

/** What login shells read: a text for sh and bash, which zsh reads through its block, and one for fish. */
interface Profile {
  readonly name: string;
  /** What it sets, as in "set the mirror of the model hub for login shells". */
  readonly subject: Text;
  readonly sh: string | undefined;
  readonly fish: string | undefined;
}

/** Returns the profiles, without texts for what the site does not have. `proxy_off` affects the first. */
function profilesOf(site: Pick<Site, 'mirrors' | 'ca'>, proxy: ShellProxy | undefined): Profile[] {
  const { hub, npm, pip } = site.mirrors;
  const files = { origin, values: `/${loginValuesFile}` };
  const base = (url: string | undefined) => url?.replace(/\/+$/, '');
  return [
    {
      ...{ name: 'proxy', subject: { en: 'the proxy', zh: '代理' } },
      sh: proxy && posixFunctions(files),
      fish: proxy && fishFunctions(files, true),
    },
    exporting('ca', { en: 'the certificate authorities', zh: 'CA 证书' }, trustVariables(site)),
    // SPEC 2.2. Containers do not get it: Open WebUI works offline.
    exporting(
      'hub',
      { en: 'the mirror of the model hub', zh: '模型社区的镜像源' },
      { HF_ENDPOINT: base(hub) },
    ),
    exporting(
      'packages',
      { en: 'the mirrors of npm and pip', zh: 'npm 和 pip 的镜像源' },
      { NPM_CONFIG_REGISTRY: base(npm), PIP_INDEX_URL: base(pip) },
    ),
  ];
}

function exporting(
  name: string,
  subject: Text,
  variables: Readonly<Record<string, string | undefined>>,
): Profile {
  const lines = Object.entries(variables).flatMap(([key, value]) =>
    value === undefined ? [] : [`export ${key}=${quoted(value)}\n`],
  );
  const text = lines.length > 0 ? `# ${origin}\n${lines.join('')}` : undefined;
  // fish has `export` too.
  return { name, subject, sh: text, fish: text };
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

/**
 * Returns who may read a file with the proxy: with a login only root and the group sudo, which Debian
 * and Ubuntu always have (base-passwd).
 */
export async function accessTo(
  host: Host,
  proxy: ShellProxy | undefined,
): Promise<Pick<ManagedFile, 'mode' | 'gid'>> {
  if (proxy === undefined || new URL(proxy.url).username === '') return { mode: 0o644 };
  // Only root can read the file if there is no such group.
  return { mode: 0o640, gid: (await groupId(host, 'sudo')) ?? process.getgid?.() ?? 0 };
}

/** sudo ignores files with a dot in their name. */
export const sudoersFile = 'etc/sudoers.d/landfall-proxy';

/**
 * Renders the variables that sudo keeps. By default it drops them, so that a command as root would not
 * use the proxy or the certificate authorities of the site.
 */
function keptBySudo(names: readonly string[]): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
Defaults:%sudo env_keep += "${names.join(' ')}"
`;
}

const candidate = 'run/landfall/sudoers-proxy';

/**
 * Checks a sudoers file with visudo, because one invalid line disables sudo for all users. Without
 * sudo there is nothing to disable, and the stage users installs it later.
 * @throws LandfallError COMMAND_FAILED
 */
async function verifySudoers(host: Host, text: string): Promise<void> {
  if (!existsSync(host.path('usr/sbin/visudo'))) return;
  await withCandidate(host, candidate, { text, mode: 0o440 }, (path) =>
    host.run('visudo', ['--check', `--file=${path}`]),
  );
}

/** Read by all fish shells. The folder exists once fish is installed. */
const fishFolder = 'etc/fish/conf.d';
const origin = 'Made by Landfall. `sudo landfall route off` removes it.';

/** Returns the file of a profile that sh and bash read, and zsh through its block. */
export function profileFileOf(name: string): string {
  return `etc/profile.d/landfall-${name}.sh`;
}

function profileSettings(host: Host, { name, subject, sh, fish }: Profile): ManagedFile[] {
  const sets = { en: `${subject.en} for login shells`, zh: `登录 shell 的${subject.zh}` };
  const file = { path: profileFileOf(name), sets, text: sh };
  if (!existsSync(host.path(fishFolder))) return [file];
  return [file, { path: `${fishFolder}/landfall-${name}.fish`, sets, text: fish }];
}
