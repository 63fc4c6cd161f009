import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, readText, writeText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import { type Archives, rewriteSources, rewriteStanzas } from './apt-sources.ts';

const folder = 'etc/apt/sources.list.d';
/** The sources as they were before anything here touched them. */
const originals = 'var/lib/landfall/apt-sources';
/** cloud-init writes sources anew for every copy of a machine, unless it is told not to. */
const cloudInitFile = 'etc/cloud/cloud.cfg.d/99-landfall-apt.cfg';
const cloudInitText = 'apt:\n  preserve_sources_list: true\n';

/** A file of apt's sources that has to change. */
interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What has to change so that packages come from the site's mirrors. */
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

/** Changes them, the first time keeping what was there, and tells cloud-init to leave them. */
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

/** Ubuntu keeps its security updates in the same archive, Debian in one of their own. */
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
