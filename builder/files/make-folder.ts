import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/**
 * Makes a folder and those above it, unless they exist. Node's own recursive mkdir never returns
 * where the file system refuses a new folder with ENOENT, as /proc does.
 * @throws LandfallError FILE_ACCESS where the file system takes no folders; other errors of mkdir(2)
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

/** Another process may have made the folder in the meantime. */
async function acceptFolder(path: string, error: unknown): Promise<void> {
  if (await isFolder(path)) return;
  if (!isMissing(error)) throw error;
  throw new LandfallError('FILE_ACCESS', `cannot make the folder ${path}`, {
    hint: `Choose another folder; the file system of ${dirname(path)} takes no new ones.`,
    cause: error,
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
