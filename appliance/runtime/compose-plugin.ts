import { createHash } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { composePlugin } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import { replaceLink } from '#files/replace-link.ts';
import { download } from '../host/download/download.ts';
import { isMissing } from '../host/files.ts';
import { piecesOfFile } from '../host/pieces-of-file.ts';
import type { Context } from '../stage/stage.ts';

/** Docker looks here before it looks where the distribution puts a plugin of its own. */
const pluginPath = 'usr/local/lib/docker/cli-plugins/docker-compose';
/** The name that people and scripts of old call. */
const standalonePath = 'usr/local/bin/docker-compose';

/** Whether the release's own Compose is in place, byte for byte and under both names. */
export async function hasComposePlugin({ host, release }: Context): Promise<boolean> {
  if ((await sha256Of(host.path(pluginPath))) !== pluginSha256(release)) return false;
  return (await linkAt(host.path(standalonePath))) === `/${pluginPath}`;
}

/**
 * Puts the release's Compose in place: out of the bundle, or fetched where the bundle is thin.
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
  throw new LandfallError('BUNDLE_CONTENT', 'the release brings no Compose', {
    hint: 'It was not made by `landfall build`.',
  });
}

/** Where a link leads; nothing where there is none. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Of a file itself; nothing where there is none. */
async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const piece of piecesOfFile(path)) hash.update(piece);
    return hash.digest('hex');
  } catch (error) {
    if (isMissing(error) || isLink(error)) return undefined;
    throw error;
  }
}

/** A link to somebody else's Compose is as good as none: ours takes its place. */
function isLink(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ELOOP';
}
