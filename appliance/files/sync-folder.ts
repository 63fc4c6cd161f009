import { open } from 'node:fs/promises';

/** Puts the names in a folder on disk: a new file or a rename is there once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
