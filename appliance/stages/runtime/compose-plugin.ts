import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { composePlugin } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceLink } from '#files/replace-link.ts';
import { download } from '../../server/host/download/download.ts';
import { readChunks } from '../../server/host/read-chunks.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Docker prefers this folder to that of the distribution. */
const pluginPath = 'usr/local/lib/docker/cli-plugins/docker-compose';
/** The command of Compose v1, which old scripts use. */
const standalonePath = 'usr/local/bin/docker-compose';

/** Returns whether the Compose of the release is installed under both names, by its digest. */
export async function hasComposePlugin({ host, release }: Context): Promise<boolean> {
  if ((await sha256Of(host.path(pluginPath))) !== pluginSha256(release)) return false;
  const link = await readlink(host.path(standalonePath)).catch(() => undefined);
  return link === `/${pluginPath}`;
}

/**
 * Installs the Compose of the release, from the bundle or by download.
 * @throws LandfallError NETWORK_…, HTTP_STATUS, BLOB_DIGEST
 */
export async function installComposePlugin(context: Context): Promise<void> {
  const { host, release, releaseFolder, site } = context;
  const target = host.path(pluginPath);
  const unfinished = `${target}.landfall-new`;
  await mkdir(dirname(target), { recursive: true });
  const outside = release.downloads.find(({ path }) => path === composePlugin);
  if (outside) await download(host, site, outside, unfinished, context.report);
  else await copyFile(join(releaseFolder, composePlugin), unfinished);
  await chmod(unfinished, 0o755);
  await moveIntoPlace(unfinished, target);
  const standalone = host.path(standalonePath);
  await mkdir(dirname(standalone), { recursive: true });
  await replaceLink(standalone, `/${pluginPath}`);
}

function pluginSha256({ files, downloads }: Release): string {
  const found = [...files, ...downloads].find(({ path }) => path === composePlugin);
  if (found) return found.sha256;
  throw new LandfallError('BUNDLE_CONTENT', 'the release does not contain Docker Compose', {
    hint: { en: 'Build it again with `landfall build`.', zh: '用 `landfall build` 重新构建。' },
  });
}

async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const piece of readChunks(path)) hash.update(piece);
    return hash.digest('hex');
  } catch (error) {
    // A link to another Compose counts as missing, and is replaced.
    if (isMissing(error)) return undefined;
    throw error;
  }
}
