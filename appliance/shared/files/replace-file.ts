import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

export interface FileMode {
  /** Permission bits. */
  readonly mode?: number;
  /** Numeric owner; default: the user of this process. */
  readonly uid?: number;
  readonly gid?: number;
}

interface ReplaceOptions extends FileMode {
  /** Temporary file: an absolute path on the same file system. Default: next to the file. */
  readonly unfinished?: string;
}

/**
 * Writes a file atomically: after a power failure, it has the old or the new content. Permissions
 * apply from the first byte. The folder must exist.
 * @param options without a mode, the umask applies
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode, uid, gid, unfinished = `${path}.landfall-new` }: ReplaceOptions = {},
): Promise<void> {
  await rm(unfinished, { force: true });
  try {
    const file = await open(unfinished, 'wx', mode);
    try {
      if (uid !== undefined) await file.chown(uid, gid ?? uid);
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    // Remove the partial file, for example after a full disk. The old file is unchanged.
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}
