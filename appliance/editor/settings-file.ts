import { constants } from 'node:fs';
import { mkdir, open, readlink, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { replaceFile } from '#files/replace-file.ts';
import { fileErrorOf, isMissing } from './file-errors.ts';
import { refuseOtherOwner } from './other-owner.ts';

/** Maximum size of settings, in bytes. */
const largest = 4 << 20;

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
export async function readSettingsFile(given: string): Promise<SettingsFile> {
  try {
    const path = await realpath(given);
    // Non-blocking, because opening a named pipe waits for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { size, mode } = await file.stat().then((found) => {
        if (!found.isFile()) throw notAFile(path);
        return found;
      });
      await refuseOtherOwner(path);
      if (size > largest) throw tooLarge(path);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
      return { path, bytes: buffer.subarray(0, bytesRead), mode: mode & 0o7777 };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isMissing(error)) throw fileErrorOf(error, given);
    return { path: await futurePath(given), bytes: undefined, mode: undefined };
  }
}

/** Returns the path that a missing file will have, without symbolic links. */
async function futurePath(given: string): Promise<string> {
  const isLink = await readlink(given).then(
    () => true,
    () => false,
  );
  if (isLink) {
    throw new LandfallError('FILE_ACCESS', `${given} is a symbolic link to a missing file`, {
      hint: 'Create the file that it points to, or delete the link.',
    });
  }
  return join(await realFolder(dirname(given)), basename(given));
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw fileErrorOf(error, folder);
    return join(await realFolder(dirname(folder)), basename(folder));
  }
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

/** Removes settings. @throws LandfallError FILE_ACCESS */
export async function removeSettingsFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw fileErrorOf(error, path);
  }
}

function notAFile(path: string): LandfallError {
  return new LandfallError('FILE_ACCESS', `${path} is not a regular file`, {
    hint: 'Use the path of settings.json.',
  });
}

function tooLarge(path: string): LandfallError {
  return new LandfallError('CONFIG_TOO_LARGE', `${path} is larger than ${largest >> 20} MiB`, {
    hint: 'Check that the path is the settings.json of an editor.',
  });
}
