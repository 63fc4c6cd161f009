import { readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { type Architecture, releaseName } from '#contract/bundle/release-name.ts';
import { bootSettingsFile, currentRelease, installedMark } from '#contract/server-paths.ts';
import { withPort } from '#contract/site/route.ts';
import type { Site } from '#contract/site/site.ts';
import { syncFolder } from '#files/sync-folder.ts';
import { isExempt } from '#http/no-proxy.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';
import type { Transaction } from '../../server/records/transaction.ts';

/** Makes a release the current one, by one rename. @param name of its folder, such as `1.1.0-amd64` */
export async function pointTo(host: Host, name: string): Promise<void> {
  const [path, next] = [host.path(currentRelease), host.path(`${currentRelease}.new`)];
  await rm(next, { force: true });
  await symlink(`releases/${name}`, next);
  await rename(next, path);
  await syncFolder(dirname(path));
}

/** Returns the folder name of the current release. */
export async function currentName(host: Host): Promise<string | undefined> {
  return await readlink(host.path(currentRelease)).then(basename, () => undefined);
}

const storedBoot = new StateFile(
  bootSettingsFile,
  z.looseObject({ product: z.string(), sources: z.array(z.unknown()) }),
  { isLine: true, mode: 0o600 },
);

/**
 * Records an installed release: its version, and in boot.json its digest and sources, so that a
 * bootstrap that runs again installs no older one.
 */
export async function recordInstalled(
  host: Host,
  { to, manifest, source }: Pick<Transaction, 'to' | 'manifest' | 'source'>,
  arch: Architecture,
  site: Pick<Site, 'route'>,
): Promise<void> {
  const boot = await storedBoot.read(host);
  if (boot) {
    const name = `${releaseName(boot.product, to, arch)}.tar`;
    const folders = source.urls.filter((url) => url.endsWith(`/${name}`));
    const sources = folders.map((url) => sourceOf(url.slice(0, -name.length), site));
    const { part } = source;
    const settings = {
      ...boot,
      version: to,
      manifests: { [arch]: manifest },
      parts: part === null ? undefined : { [arch]: part },
      // Another layout than that of the bootstrap: the release is on this server anyway.
      sources: sources.length > 0 ? sources : boot.sources,
    };
    await storedBoot.write(host, settings);
  }
  await writeText(host, installedMark, `${to}\n`);
}

/** Returns a source of the bootstrap with the proxy of the site, as `landfall user-data` writes it. */
function sourceOf(url: string, { route }: Pick<Site, 'route'>): object {
  if (!('url' in route) || isExempt(new URL(url), route.no_proxy.join(','))) return { url };
  return { url, [route.mode === 'socks5' ? 'socks' : 'proxy']: withPort(route.url) };
}
