import { chmod, lstat, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/**
 * Creates a folder in Ollama's store, world-readable like Ollama's own. The store is untrusted, because
 * Ollama writes there: a symbolic link would lead a root process out of the volume. Existing folders
 * keep their permissions.
 * @param store absolute path; its parent is created by Docker
 * @param folder relative to the store, such as `blobs`
 * @throws LandfallError MODEL_FAILED
 */
export async function makeStoreFolder(store: string, folder: string): Promise<void> {
  let path = dirname(store);
  for (const name of [basename(store), ...folder.split('/')]) {
    path = join(path, name);
    if (await isMade(path)) await chmod(path, 0o755);
    else if (!(await lstat(path)).isDirectory()) throw notAFolder(path);
  }
}

/** Creates a folder. @returns false if the path exists */
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
  return new LandfallError('MODEL_FAILED', `${path} is not a folder`, {
    hint: 'Find out which program created it, then remove it: only Ollama writes to its store.',
  });
}
