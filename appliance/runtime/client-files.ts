import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Account, findAccount, homePath } from '../host/account.ts';
import { routeEnvironment } from '../host/download/route-environment.ts';
import { makeFolder, readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Context } from '../stage/stage.ts';
import { changeOwnSettings, readOwnSettings } from './own-settings.ts';
import {
  clientProxyDigest,
  clientSettings,
  clientSettingsName,
  hasForeignProxy,
} from './proxy-settings.ts';

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
    const reason = wanted === undefined ? 'is not JSON' : isKept ? 'has another proxy' : undefined;
    if (reason === undefined) continue;
    const text = `/${path} ${reason} and was not changed`;
    report.warn({ kind: 'client-proxy', subject: `/${path}`, text });
  }
}

/** `sudo docker` reads the file of root, `docker` the one of the administrator. */
async function clientFiles({ host, site }: Context): Promise<ClientFile[]> {
  const variables = routeEnvironment(site, 'container');
  const { clientProxies } = await readOwnSettings(host);
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
