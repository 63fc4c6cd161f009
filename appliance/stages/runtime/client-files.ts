import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, modify } from 'jsonc-parser';
import { parseJson } from '#contract/text/json.ts';
import type { Text } from '#contract/text/language.ts';
import { type Account, findAccount, homePath } from '../../server/host/account.ts';
import { routeEnvironment } from '../../server/host/download/route-environment.ts';
import { makeFolder, readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { Context } from '../../server/stage/stage.ts';
import { changeOwnSettings, storedSettings } from './own-settings.ts';

/** The settings of the command `docker` of one user. */
interface ClientFile {
  readonly path: string;
  readonly owner: Account;
  readonly current: string | undefined;
  /** Empty if no file is needed; undefined if the current one is not JSON. */
  readonly wanted: string | undefined;
  readonly hasForeignProxy: boolean;
}

/** Returns whether the settings of all users have the proxy of the site. */
export async function clientFilesAreRight(context: Context): Promise<boolean> {
  return (await clientFiles(context)).every((file) => !isDifferent(file));
}

/** Sets the proxy of the command `docker` for root and the administrator, or removes an earlier one. */
export async function writeClientFiles(context: Context): Promise<void> {
  const { host, site } = context;
  const files = (await clientFiles(context)).filter(isDifferent);
  if (files.length === 0) return;
  const clientProxies = clientProxyDigest(routeEnvironment(site, 'container'));
  await changeOwnSettings(host, { clientProxies }, async () => {
    for (const file of files) await writeClientFile(host, file);
  });
}

/** Warns about files that were not changed, in every run until they are fixed. */
export async function warnOfClientSettings(context: Context): Promise<void> {
  const { report, site } = context;
  if (clientProxyDigest(routeEnvironment(site, 'container')).length === 0) return;
  for (const { path, wanted, hasForeignProxy: isKept } of await clientFiles(context)) {
    const reason = wanted === undefined ? notJson : isKept ? otherProxy : undefined;
    if (reason === undefined) continue;
    const text = {
      en: `/${path} ${reason.en} and was not changed`,
      zh: `/${path} ${reason.zh}，没有更改`,
    };
    report.warn({ kind: 'client-proxy', subject: `/${path}`, text });
  }
}

const notJson: Text = { en: 'is not JSON', zh: '不是 JSON' };
const otherProxy: Text = { en: 'has another proxy', zh: '设置了其他代理' };

/** `sudo docker` reads the file of root, `docker` the one of the administrator. */
async function clientFiles({ host, site }: Context): Promise<ClientFile[]> {
  const variables = routeEnvironment(site, 'container');
  const { clientProxies } = await storedSettings.read(host);
  const owners = [root, await findAccount(host, site.admin.user)];
  const present = owners.filter((owner) => owner !== undefined);
  return await Promise.all(
    present.map(async (owner) => {
      const path = homePath(owner, clientSettingsName);
      const current = await readText(host, path);
      return {
        ...{ path, owner, current },
        wanted: clientSettings(current, variables, clientProxies),
        hasForeignProxy: hasForeignProxy(current, variables, clientProxies),
      };
    }),
  );
}

async function writeClientFile(host: Host, { path, owner, wanted }: ClientFile): Promise<void> {
  const { uid, gid } = owner;
  const folder = dirname(path);
  if (!wanted) {
    await removeFile(host, path);
    // The folder may have other files of Docker.
    await rmdir(host.path(folder)).catch(() => {});
    return;
  }
  if (!existsSync(host.path(folder))) await makeFolder(host, folder, { mode: 0o700, uid, gid });
  await writeText(host, path, wanted, { mode: 0o600, uid, gid });
}

function isDifferent({ current, wanted }: ClientFile): boolean {
  return wanted !== undefined && wanted !== (current ?? '');
}

const root: Account = {
  ...{ user: 'root', home: '/root', shell: '/bin/sh' },
  ...{ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
};

/** The route as variables; see route-environment. */
type ProxyVariables = Readonly<Record<string, string>>;

export const proxyDropIn = 'etc/systemd/system/docker.service.d/10-landfall-proxy.conf';
/** Settings of the command `docker`, in the home folder of each of its users. */
const clientSettingsName = '.docker/config.json';

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
 * container. Every other byte is kept, so that removing the proxy restores the file. A proxy of the
 * user is kept too; one of an earlier route is replaced or removed.
 * @param current the current text of the file
 * @param earlier digests of proxies that we wrote, from {@link clientProxyDigest}
 * @returns an empty string if no file is needed; undefined if the current one is not JSON
 */
export function clientSettings(
  current: string | undefined,
  variables: ProxyVariables,
  earlier: readonly string[] = [],
): string | undefined {
  const settings = objectOf(parseJson(current ?? '{}'));
  if (!settings) return undefined;
  const proxies = objectOf(settings.proxies) ?? {};
  const found = proxies.default;
  const wanted = isForeign(found, earlier) ? found : clientProxy(variables);
  if (isDeepStrictEqual(wanted, found)) return current ?? '';
  if (current === undefined)
    return `${JSON.stringify({ proxies: { default: wanted } }, null, 2)}\n`;
  const isLast = wanted === undefined && Object.keys(proxies).length === 1;
  const path = isLast ? ['proxies'] : ['proxies', 'default'];
  const text = applyEdits(current, modify(current, path, wanted, {}));
  return Object.keys(objectOf(parseJson(text)) ?? {}).length === 0 ? '' : text;
}

/** Returns whether `config.json` has a proxy of the user instead of the one of the route. */
function hasForeignProxy(
  current: string | undefined,
  variables: ProxyVariables,
  earlier: readonly string[],
): boolean {
  const found = objectOf(objectOf(parseJson(current ?? '{}'))?.proxies)?.default;
  return isForeign(found, [...earlier, ...clientProxyDigest(variables)]);
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

function isForeign(proxy: unknown, ours: readonly string[]): boolean {
  return proxy !== undefined && !ours.includes(digestOf(proxy));
}

/** Returns a digest that is independent of the order of the fields. */
function digestOf(proxy: unknown): string {
  const fields = Object.entries(objectOf(proxy) ?? {}).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return value && typeof value === 'object' ? { ...value } : undefined;
}
