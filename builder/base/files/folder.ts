import { mkdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { isMissing } from '#files/open-regular.ts';

/**
 * Creates a folder and its parents, unless they exist. Node's recursive mkdir never returns when
 * the file system rejects a new folder with ENOENT, as /proc does.
 * @throws LandfallError FILE_ACCESS when the file system rejects it; other errors of mkdir(2)
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return;
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) return acceptFolder(path, error);
    await makeFolder(dirname(path), mode);
    await mkdir(path, mode).catch((reason: unknown) => acceptFolder(path, reason));
  }
}

/** Ignores the error if another process has created the folder in the meantime. */
async function acceptFolder(path: string, error: unknown): Promise<void> {
  if (await isFolder(path)) return;
  if (!isMissing(error)) throw error;
  throw new LandfallError('FILE_ACCESS', `cannot create the folder ${path}`, {
    hint: `Choose another folder; the file system of ${dirname(path)} does not allow new folders.`,
    cause: error,
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Returns the free bytes for a folder, which need not exist yet; undefined if they are unknown. */
export async function freeDisk(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return dirname(folder) === folder ? undefined : await freeDisk(dirname(folder));
  }
}
