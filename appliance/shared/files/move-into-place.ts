import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Moves a complete file to its path and replaces an existing file. After a power failure, the path
 * has either the old or the new file.
 * @param unfinished absolute path on the file system of `target`
 */
export async function moveIntoPlace(unfinished: string, target: string): Promise<void> {
  const file = await open(unfinished, 'r');
  await file.sync().finally(() => file.close());
  await rename(unfinished, target);
  await syncFolder(dirname(target));
}
