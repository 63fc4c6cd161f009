import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { isMissing, readRegular } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { fileErrorOf, refuseOtherOwner } from './file-access.ts';

/** Maximum size of settings, in bytes. */
const maxBytes = 4 << 20;

/** The settings of an editor on disk. */
export interface SettingsFile {
  /** Without symbolic links. */
  readonly path: string;
  /** Undefined for a missing file. */
  readonly bytes: Buffer | undefined;
  /** Permission bits; undefined for a missing file. */
  readonly mode: number | undefined;
}

/**
 * Reads settings. Follows symbolic links, because many users keep their settings in a repository.
 * @throws LandfallError FILE_ACCESS for a file of another user or a special file, CONFIG_TOO_LARGE
 */
export async function readSettingsFile(path: string): Promise<SettingsFile> {
  try {
    return await settingsAt(await realPathOf(path));
  } catch (error) {
    throw fileErrorOf(error, path);
  }
}

async function settingsAt(path: string): Promise<SettingsFile> {
  const found = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  if (!found) return { path, bytes: undefined, mode: undefined };
  if (!found.isFile()) {
    throw new LandfallError('FILE_ACCESS', `${path} is not a regular file`, {
      hint: 'Use the path of settings.json.',
    });
  }
  await refuseOtherOwner(path);
  const bytes = await readRegular(path, maxBytes);
  if (bytes) return { path, bytes, mode: found.mode & 0o7777 };
  throw new LandfallError('CONFIG_TOO_LARGE', `${path} is larger than ${maxBytes >> 20} MiB`, {
    hint: 'Check that the path is the settings.json of an editor.',
  });
}

/** Returns the path without symbolic links, also of a file that is missing. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    if (await isLink(path)) {
      throw new LandfallError('FILE_ACCESS', `${path} is a symbolic link to a missing file`, {
        hint: 'Create the file that it points to, or delete the link.',
      });
    }
    return join(await realPathOf(dirname(path)), basename(path));
  }
}

function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

/**
 * Writes settings atomically and creates missing folders.
 * @throws LandfallError FILE_ACCESS, DISK_FULL
 */
export async function writeSettingsFile(
  path: string,
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<void> {
  try {
    const folder = dirname(path);
    await refuseOtherOwner(folder);
    await mkdir(folder, { recursive: true });
    await replaceFile(path, bytes, mode === undefined ? {} : { mode });
  } catch (error) {
    throw fileErrorOf(error, path);
  }
}
