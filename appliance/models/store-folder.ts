import { chmod, lstat, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/**
 * Makes a folder of the engine's store, for everybody to read as Ollama makes its own. The engine
 * writes there too, so nothing in it is trusted: a link in place of a folder would lead a program of
 * root out of the volume. Folders that are there keep their permissions.
 * @param store absolute path; the folder that it lies in is Docker's own
 * @param folder from the store: `blobs`
 * @throws LandfallError MODEL_FAILED
 */
export async function makeStoreFolder(store: string, folder: string): Promise<void> {
  let path = dirname(store);
  for (const part of [basename(store), ...folder.split('/')]) {
    path = join(path, part);
    if (await isMade(path)) await chmod(path, 0o755);
    else if (!(await lstat(path)).isDirectory()) throw notAFolder(path);
  }
}

/** @returns false where something is there already */
async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path, 0o755);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function notAFolder(path: string): LandfallError {
  return new LandfallError('MODEL_FAILED', `${path} is no folder`, {
    hint: 'Nothing but a folder may be there. Look at who put it there before you remove it: the engine alone writes to its store.',
  });
}
