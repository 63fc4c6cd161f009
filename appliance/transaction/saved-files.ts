import {
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { secretsFolder, siteFile } from '#contract/server-paths.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { Host } from '../host/host.ts';

/** Files and folders that a release may change, besides the volumes. Only root writes them. */
const saved = [siteFile, secretsFolder, 'var/lib/landfall/acme/config'] as const;

/** The folder with what an update saves, besides the data in the volumes. */
export function savedFolder(id: string): string {
  return `var/lib/landfall/update/${id}`;
}

/** Saves the files. Starts again after an interruption. */
export async function saveFiles(host: Host, id: string): Promise<void> {
  const folder = host.path(savedFolder(id));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const path of saved) {
    await rm(join(folder, path), { recursive: true, force: true });
    const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
    await cp(host.path(path), join(folder, path), options).catch((error) => {
      if (!isMissing(error)) throw error;
    });
    await copyOwners(host.path(path), join(folder, path));
  }
}

/** `cp` of Node keeps modes and times, but not owners. */
async function copyOwners(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch(() => undefined);
  if (!found) return;
  await lchown(to, found.uid, found.gid);
  if (!found.isDirectory()) return;
  for (const name of await readdir(from)) await copyOwners(join(from, name), join(to, name));
}

/**
 * Puts the saved files back in place, and removes what was added since. Files are replaced one by one, because
 * containers have their folders mounted. Idempotent.
 */
export async function restoreFiles(host: Host, id: string): Promise<void> {
  for (const path of saved) {
    const source = host.path(savedFolder(id), path);
    const found = await lstat(source).catch(() => undefined);
    if (found) await restoreTree(source, host.path(path));
    else await rm(host.path(path), { recursive: true, force: true });
  }
}

async function restoreTree(source: string, target: string): Promise<void> {
  const found = await lstat(source);
  const { uid, gid, mode } = found;
  const [isLink, isFolder] = [found.isSymbolicLink(), found.isDirectory()];
  const before = await lstat(target).catch(() => undefined);
  if (before && (isLink || before.isSymbolicLink() || before.isDirectory() !== isFolder)) {
    await rm(target, { recursive: true, force: true });
  }
  if (isLink) return await symlink(await readlink(source), target);
  if (!isFolder) {
    await mkdir(dirname(target), { recursive: true });
    const content = await readFile(source);
    return await replaceFile(target, content, { mode: mode & 0o7777, uid, gid });
  }
  await mkdir(target, { recursive: true, mode: mode & 0o7777 });
  await lchown(target, uid, gid);
  const names = await readdir(source);
  for (const name of await readdir(target)) {
    if (!names.includes(name)) await rm(join(target, name), { recursive: true, force: true });
  }
  for (const name of names) await restoreTree(join(source, name), join(target, name));
}
