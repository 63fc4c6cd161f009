import type { Stats } from 'node:fs';
import { chmod, lchown, lstat, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import {
  banSettingsFile,
  diskSettingsFile,
  dockerSwarmFolder,
  firewallSettingsFile,
  secretsFolder,
} from '#contract/server-paths.ts';
import { isQuotable } from '../../stages/stack/rendered-file.ts';
import { acmeState, isAcmeState } from './acme-state.ts';

/** Folders that contain links to their own files. */
const linkedFolders = ['etc/landfall/authority/'];
/** Links of an administrator to a certificate: the backup does not have the file. */
const foreignLinks = 'etc/landfall/tls/';
/** What every user of a server may read. */
const publicFiles: readonly string[] = [firewallSettingsFile, banSettingsFile, diskSettingsFile];

/** Bytes. The logs of a Swarm have 64 MB each. */
const maxSize = (path: string) => (isBelow(path, dockerSwarmFolder) ? 256 << 20 : 4 << 20);
const maxEntries = 20_000;

/** What {@link cleanSettings} found. */
interface CleanedSettings {
  /** The first entry that no backup of ours has, relative to the settings; undefined: there is none. */
  readonly odd?: string;
  /** Paths of files that were removed, relative to the settings. */
  readonly leftOut: readonly string[];
}

/**
 * Checks the restored settings, and makes them data of root: what restic restores, with which owners and modes,
 * is decided by who knows the password of the repository. Removes links to certificates, secrets that cannot be used,
 * and what lego would run.
 * @param settings absolute path of the restored folder
 */
export async function cleanSettings(settings: string): Promise<CleanedSettings> {
  const leftOut: string[] = [];
  let count = 0;
  const clean = async (path: string): Promise<string | undefined> => {
    const file = join(settings, path);
    const found = await lstat(file).catch(() => undefined);
    if (!found) return undefined;
    count += 1;
    if (found.isSymbolicLink() && path.startsWith(foreignLinks)) {
      await rm(file);
      return undefined;
    }
    if (count > maxEntries || (found.isFile() && found.size > maxSize(path))) return path;
    if (!(await isUsable(file, path, found))) {
      leftOut.push(path);
      await rm(file, { recursive: true });
      return undefined;
    }
    if (found.isSymbolicLink() && isInside(path, await readlink(file))) return undefined;
    if (!(found.isFile() || found.isDirectory())) return path;
    await lchown(file, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    if (found.isFile()) {
      await chmod(file, found.mode & (publicFiles.includes(path) ? 0o644 : 0o600));
      return undefined;
    }
    await chmod(file, 0o700);
    for (const name of await readdir(file)) {
      const odd = await clean(join(path, name));
      if (odd !== undefined) return odd;
    }
    return undefined;
  };
  for (const path of ['', 'etc', 'var']) {
    const found = await lstat(join(settings, path)).catch(() => undefined);
    if (found && !found.isDirectory()) return { odd: join('backup', path), leftOut };
  }
  for (const path of ['etc', 'var']) {
    const odd = await clean(path);
    if (odd !== undefined) return { odd, leftOut };
  }
  return { leftOut };
}

/** Whether a file is of use: a secret has one line without quotes, and lego's folder only certificates and keys. */
async function isUsable(file: string, path: string, found: Stats): Promise<boolean> {
  if (isBelow(path, secretsFolder) && found.isDirectory()) return false;
  if (isBelow(path, secretsFolder) && found.isFile()) {
    return isQuotable((await readFile(file, 'utf8')).replace(/\r?\n$/, ''));
  }
  if (!isBelow(path, acmeState)) return true;
  return isAcmeState(path.slice(acmeState.length + 1), found.isSymbolicLink());
}

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`);

/** Whether a link stays in its folder. `link/../x` may lead elsewhere than its text says. */
function isInside(own: string, leadsTo: string): boolean {
  const around = linkedFolders.find((each) => own.startsWith(each));
  if (around === undefined || isAbsolute(leadsTo) || normalize(leadsTo) !== leadsTo) return false;
  return join(dirname(own), leadsTo).startsWith(around);
}
