import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from './files.ts';
import type { Host } from './host.ts';

/** What a file system still takes. */
export interface FreeSpace {
  /** Tells file systems apart: two paths with the same one share their room. */
  readonly device: number;
  /** Bytes. */
  readonly free: number;
}

/** The room where a path lies, or will lie once its folders are made. */
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
