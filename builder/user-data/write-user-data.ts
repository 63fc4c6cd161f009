import { rename, rm, writeFile } from 'node:fs/promises';
import { fileError } from '../files/file-error.ts';

/**
 * Writes user-data for its owner's eyes: it names accounts, hosts and perhaps a proxy's password.
 * A file of that name is replaced in one step or not at all.
 * @throws LandfallError DISK_FULL, FILE_ACCESS, FILE_MISSING
 */
export async function writeUserData(path: string, bytes: Buffer): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await rm(partial, { force: true });
    await writeFile(partial, bytes, { mode: 0o600, flag: 'wx' });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw fileError(error, path);
  }
}
