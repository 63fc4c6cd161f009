import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Moves a complete file to its path and replaces what is there. After a power cut the path has the
 * old file or the whole new one.
 * @param unfinished absolute path on the file system of `target`
 */
export async function moveIntoPlace(unfinished: string, target: string): Promise<void> {
  const file = await open(unfinished, 'r');
  await file.sync().finally(() => file.close());
  await rename(unfinished, target);
  await syncFolder(dirname(target));
}
