import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

export interface FileMode {
  /** Permission bits. */
  readonly mode?: number;
  /** Numeric owner; the user of this process when not given. */
  readonly uid?: number;
  readonly gid?: number;
}

interface ReplaceOptions extends FileMode {
  /** Where the file is prepared: an absolute path on the same file system. Default: beside it. */
  readonly unfinished?: string;
}

/**
 * Writes a file in one step: after a power cut it is the old one or the new one, with its
 * permissions from the first byte on. Its folder must exist.
 * @param options without a mode, the umask decides on the permissions
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
    // A full disk leaves half a file; the old one stays as it was.
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}
