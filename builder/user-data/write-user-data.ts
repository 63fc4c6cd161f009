import { replaceFile } from '#files/replace-file.ts';
import { fileError } from '../files/file-error.ts';

/**
 * Writes user-data for its owner's eyes: it names accounts, hosts and perhaps a proxy's password.
 * A file of that name is replaced in one step or not at all.
 * @throws LandfallError DISK_FULL, FILE_ACCESS, FILE_MISSING
 */
export async function writeUserData(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await replaceFile(path, bytes, { mode: 0o600 });
  } catch (error) {
    throw fileError(error, path);
  }
}
