import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { secretsFolder, siteFile, siteTextFile } from '#contract/server-paths.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { chatFactsSchema } from '../../server/chats/chat-facts.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';

/** Files and folders that a release may change, besides the volumes. Only root writes them. */
const saved = [siteFile, siteTextFile, secretsFolder, 'var/lib/landfall/acme/config'] as const;
/** Those that a restored backup leaves as they are. */
const ownFiles: readonly string[] = [siteFile, siteTextFile];

/** The folder with what an update saves, besides the data in the volumes. */
export function savedFolder(id: string): string {
  return `var/lib/landfall/update/${id}`;
}

const options = { isLine: true, mode: 0o600 };

/** Facts about the chats before the update, which the phase `verify` compares. */
export const factsBefore = (id: string) =>
  new StateFile(`${savedFolder(id)}/chat-facts.json`, chatFactsSchema, options);

/** Names of the smoke tests that failed before the update, which the phase `verify` excuses. */
export const failedBefore = (id: string) =>
  new StateFile(`${savedFolder(id)}/failed-before.json`, z.array(z.string()), options);

/**
 * Saves the files. Starts again after an interruption.
 * @param restored absolute path of a folder with the files of a backup, which are saved instead of those
 *   of this server, except its site
 */
export async function saveFiles(host: Host, id: string, restored?: string): Promise<void> {
  const folder = host.path(savedFolder(id));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const path of saved) {
    const isRestored = restored !== undefined && !ownFiles.includes(path);
    const hasIt = isRestored && existsSync(join(restored, path));
    const source = hasIt ? join(restored, path) : host.path(path);
    await rm(join(folder, path), { recursive: true, force: true });
    const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
    await cp(source, join(folder, path), options).catch((error) => {
      if (!isMissing(error)) throw error;
    });
    await copyOwners(source, join(folder, path));
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
    if (found) await putTree(source, host.path(path), { removesOthers: true });
    else await rm(host.path(path), { recursive: true, force: true });
  }
}

/**
 * Copies a file or a folder over another one, with owners, modes and times of change: the age of a secret is that of its
 * file. Idempotent.
 * @param options.removesOthers whether a folder loses what the source does not have
 */
export async function putTree(
  source: string,
  target: string,
  options: { readonly removesOthers: boolean },
): Promise<void> {
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
    await replaceFile(target, content, { mode: mode & 0o7777, uid, gid });
    return await utimes(target, found.atime, found.mtime);
  }
  await mkdir(target, { recursive: true, mode: mode & 0o7777 });
  await lchown(target, uid, gid);
  await chmod(target, mode & 0o7777);
  const names = await readdir(source);
  for (const name of options.removesOthers ? await readdir(target) : []) {
    if (!names.includes(name)) await rm(join(target, name), { recursive: true, force: true });
  }
  for (const name of names) await putTree(join(source, name), join(target, name), options);
}
