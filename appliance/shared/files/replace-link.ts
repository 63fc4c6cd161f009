import { rename, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Creates a symbolic link atomically and replaces an existing link or file. */
export async function replaceLink(path: string, target: string): Promise<void> {
  const unfinished = `${path}.landfall-new`;
  await rm(unfinished, { force: true });
  await symlink(target, unfinished);
  await rename(unfinished, path);
  await syncFolder(dirname(path));
}
