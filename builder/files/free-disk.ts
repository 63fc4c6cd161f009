import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Returns the free bytes for a folder, which need not exist yet; undefined if they are unknown. */
export async function freeDisk(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return dirname(folder) === folder ? undefined : await freeDisk(dirname(folder));
  }
}
