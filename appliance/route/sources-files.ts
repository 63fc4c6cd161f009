import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, readText, removeFile, writeText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import { type Archives, rewriteSources, rewriteStanzas } from './apt-sources.ts';

const folder = 'etc/apt/sources.list.d';
/** Backups of the original sources files. */
const originals = 'var/lib/landfall/apt-sources';
/** Without this file, cloud-init overwrites the sources on each copy of a machine. */
const cloudInitFile = 'etc/cloud/cloud.cfg.d/99-landfall-apt.cfg';
const cloudInitText = 'apt:\n  preserve_sources_list: true\n';

/** A change of an apt sources file. */
interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the changes that make apt use the mirrors of the site. */
export async function sourcesToChange({ host, server, site }: Context): Promise<Change[]> {
  const archives = archivesOf(site.mirrors, server.distribution.id);
  if (archives.main === undefined && archives.security === undefined) return [];
  const paths = ['etc/apt/sources.list', ...(await listed(host))];
  const changes = await Promise.all(
    paths.map(async (path) => {
      const before = (await readText(host, path)) ?? '';
      const rewrite = path.endsWith('.sources') ? rewriteStanzas : rewriteSources;
      return { path, before, after: rewrite(before, server.codename, archives) };
    }),
  );
  return changes.filter(({ before, after }) => before !== after);
}

/** Applies the changes, backs up the original files once, and makes cloud-init preserve them. */
export async function changeSources(context: Context): Promise<void> {
  const { host } = context;
  for (const { path, before, after } of await sourcesToChange(context)) {
    const kept = join(originals, path);
    if ((await readText(host, kept)) === undefined) await writeText(host, kept, before);
    await writeText(host, path, after);
  }
  const { apt, apt_security } = context.site.mirrors;
  const isNamed = apt !== undefined || apt_security !== undefined;
  if (isNamed && (await readText(host, cloudInitFile)) !== cloudInitText) {
    await writeText(host, cloudInitFile, cloudInitText);
  }
}

/**
 * Restores the original sources files, and lets cloud-init write them again. A file that was changed
 * since stays as it is, and its copy too.
 * @returns paths of the files that were changed since
 */
export async function restoreSources({ host, server, site }: Context): Promise<string[]> {
  const archives = archivesOf(site.mirrors, server.distribution.id);
  const changed: string[] = [];
  for (const path of ['etc/apt/sources.list', ...(await listed(host))]) {
    const kept = join(originals, path);
    const original = await readText(host, kept);
    if (original === undefined) continue;
    const rewrite = path.endsWith('.sources') ? rewriteStanzas : rewriteSources;
    const ours = rewrite(original, server.codename, archives);
    const current = await readText(host, path);
    if (current === ours) await writeText(host, path, original);
    if (current === ours || current === original) await removeFile(host, kept);
    else changed.push(path);
  }
  if ((await readText(host, cloudInitFile)) === cloudInitText)
    await removeFile(host, cloudInitFile);
  return changed;
}

/** Returns the archives of the site. Only Debian has a separate archive for security updates. */
function archivesOf(
  { apt, apt_security }: Context['site']['mirrors'],
  distribution: string,
): Archives {
  return { main: apt, security: apt_security ?? (distribution === 'ubuntu' ? apt : undefined) };
}

async function listed(host: Context['host']): Promise<string[]> {
  try {
    const names = await readdir(host.path(folder));
    return names
      .filter((name) => /^[A-Za-z0-9_.-]+\.(?:list|sources)$/.test(name))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
