import { chmod, chown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Host } from './host.ts';

export interface FileMode {
  /** Permission bits; 0o644 when not given. */
  readonly mode?: number;
  /** Numeric owner; root when not given. */
  readonly uid?: number;
  readonly gid?: number;
}

/** No file of settings is larger; what is, is not ours. Bytes. */
const largest = 4 << 20;

/** The text of a file, or nothing when there is none. */
export async function readText(host: Host, path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(host.path(path));
    if (size > largest) return undefined;
    return await readFile(host.path(path), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a file has exactly this content and these permissions. */
export async function isFile(
  host: Host,
  path: string,
  content: string,
  { mode = 0o644 }: FileMode = {},
): Promise<boolean> {
  if ((await readText(host, path)) !== content) return false;
  return ((await stat(host.path(path))).mode & 0o7777) === mode;
}

/**
 * Writes a file so that after a power cut it is the old one or the new one, with its permissions
 * from the first byte on. Folders on the way are made.
 */
export async function writeText(
  host: Host,
  path: string,
  content: string | Uint8Array,
  { mode = 0o644, uid, gid }: FileMode = {},
): Promise<void> {
  const target = host.path(path);
  const unfinished = `${target}.landfall-new`;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await rm(unfinished, { force: true });
  try {
    const file = await open(unfinished, 'wx', mode);
    try {
      if (uid !== undefined) await file.chown(uid, gid ?? uid);
      await file.chmod(mode);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, target);
  } catch (error) {
    // A full disk leaves half a file; the old one stays as it was.
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Makes a folder with these permissions, also where it is there with others. */
export async function makeFolder(host: Host, path: string, options: FileMode = {}): Promise<void> {
  const { mode = 0o755, uid, gid } = options;
  await mkdir(host.path(path), { recursive: true, mode });
  await chmod(host.path(path), mode);
  if (uid !== undefined) await chown(host.path(path), uid, gid ?? uid);
}

/** Removes a file, durably; one that is not there is fine. */
export async function removeFile(host: Host, path: string): Promise<void> {
  await rm(host.path(path), { force: true });
  await syncFolder(dirname(host.path(path))).catch((error) => {
    if (!isMissing(error)) throw error;
  });
}

/** Puts the names in a folder on disk: a new file or a rename is there once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
