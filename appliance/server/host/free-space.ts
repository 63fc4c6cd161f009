import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

import { isMissing } from '#files/open-regular.ts';
import type { Host } from './host.ts';

/** Free space on a file system. */
export interface FreeSpace {
  /** Device number. Paths with the same number share their free space. */
  readonly device: number;
  /** Bytes. */
  readonly free: number;
}

/** Returns the free space at a path, or at its closest existing parent. */
export async function freeSpace(host: Host, path: string): Promise<FreeSpace> {
  try {
    const [{ dev }, { bavail, bsize }] = await Promise.all([
      stat(host.path(path)),
      statfs(host.path(path)),
    ]);
    return { device: dev, free: bavail * bsize };
  } catch (error) {
    if (isMissing(error) && path !== '.') return await freeSpace(host, dirname(path));
    throw error;
  }
}
