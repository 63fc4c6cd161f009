import { replaceFile } from '#files/replace-file.ts';
import { fileError } from '../files/file-error.ts';

/**
 * Writes user-data, readable only by the user: it contains accounts, host names and possibly a proxy
 * password. An existing file is replaced atomically.
 * @throws LandfallError DISK_FULL, FILE_ACCESS, FILE_MISSING
 */
export async function writeUserData(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await replaceFile(path, bytes, { mode: 0o600 });
  } catch (error) {
    throw fileError(error, path);
  }
}
