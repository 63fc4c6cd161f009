import { basename, dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { FolderHandle } from '#files/folder-handle.ts';

/**
 * Opens a folder in Ollama's store, and creates it world-readable like Ollama's own. The store is
 * untrusted, because Ollama writes there: a symbolic link would lead a root process out of the volume
 * (docs/decisions/0051-files-in-ollamas-volume.md). Existing folders keep their permissions.
 * @param store absolute path; its parent is created by Docker
 * @param folder relative to the store, such as `blobs`; default: the store itself
 * @throws LandfallError MODEL_FAILED
 */
export async function openStoreFolder(store: string, folder = ''): Promise<FolderHandle> {
  const names = [basename(store), ...folder.split('/').filter((name) => name !== '')];
  let path = dirname(store);
  let found = await FolderHandle.open(path);
  for (const name of names) {
    await using parent = found;
    path = join(path, name);
    found = await parent.makeFolder(name).catch((error: unknown) => {
      throw isNoFolder(error) ? notAFolder(path, error) : error;
    });
  }
  return found;
}

function isNoFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ENOTDIR|ELOOP)$/.test(`${error.code}`);
}

function notAFolder(path: string, cause: unknown): LandfallError {
  return new LandfallError('MODEL_FAILED', `${path} is not a folder`, {
    hint: 'Find out which program created it, then remove it: only Ollama writes to its store.',
    cause,
  });
}
