import { open } from 'node:fs/promises';

/** Syncs a folder to disk, so that new and renamed files in it survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
