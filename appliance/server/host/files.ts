import type { Stats } from 'node:fs';
import { chmod, chown, mkdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, readRegular } from '#files/open-regular.ts';
import { type FileMode, replaceFile } from '#files/replace-file.ts';
import { syncFolder } from '#files/sync-folder.ts';
import type { Host } from './host.ts';

/** Size limit of a text file, in bytes. Larger files are not ours. */
const max = 4 << 20;

/**
 * Returns the text of a regular file; undefined if there is none, or if it is larger than 4 MiB.
 * @param within the folder that a container or another user writes; a link out of it counts as missing
 */
export async function readText(
  host: Host,
  path: string,
  within?: string,
): Promise<string | undefined> {
  const options = { within: within === undefined ? undefined : host.path(within) };
  return (await readRegular(host.path(path), max, options))?.toString();
}

/** Returns size, mode and owner of a file or folder; undefined if it is missing. */
export async function statIfPresent(host: Host, path: string): Promise<Stats | undefined> {
  try {
    return await stat(host.path(path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Reports whether a file has exactly this content and these permissions, also to the host's observer. */
export async function isFile(
  host: Host,
  path: string,
  content: string,
  { mode = 0o644 }: FileMode = {},
): Promise<boolean> {
  const isSame =
    (await readText(host, path)) === content &&
    ((await stat(host.path(path))).mode & 0o7777) === mode;
  if (!isSame) host.onDifference?.({ path, content, mode });
  return isSame;
}

/**
 * Writes a file atomically: after a power cut it has the old content or the new one. The permissions
 * apply from the first byte. Missing parent folders are created.
 */
export async function writeText(
  host: Host,
  path: string,
  content: string | Uint8Array,
  { mode = 0o644, ...owner }: FileMode = {},
): Promise<void> {
  const target = host.path(path);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await replaceFile(target, content, { mode, ...owner });
}

/** Creates a folder, or changes the permissions of an existing one. */
export async function makeFolder(host: Host, path: string, options: FileMode = {}): Promise<void> {
  const { mode = 0o755, uid, gid } = options;
  await mkdir(host.path(path), { recursive: true, mode });
  await chmod(host.path(path), mode);
  if (uid !== undefined) await chown(host.path(path), uid, gid ?? uid);
}

/** Writes a text to a temporary file for a check, which gets its absolute path. */
export async function withCandidate(
  host: Host,
  path: string,
  { text, mode = 0o600 }: { readonly text: string; readonly mode?: number },
  check: (path: string) => Promise<unknown>,
): Promise<void> {
  await writeText(host, path, text, { mode });
  try {
    await check(host.path(path));
  } finally {
    await removeFile(host, path);
  }
}

/** Removes a file durably. A missing file is not an error. */
export async function removeFile(host: Host, path: string): Promise<void> {
  await rm(host.path(path), { force: true });
  await syncFolder(dirname(host.path(path))).catch((error) => {
    if (!isMissing(error)) throw error;
  });
}
