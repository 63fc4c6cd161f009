import { chmod, chown, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileMode, replaceFile } from '#files/replace-file.ts';
import { syncFolder } from '#files/sync-folder.ts';
import type { Host } from './host.ts';

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
  { mode = 0o644, ...owner }: FileMode = {},
): Promise<void> {
  const target = host.path(path);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await replaceFile(target, content, { mode, ...owner });
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

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
