import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/** How to open a file in a folder where others can write. */
interface OpenOptions {
  /** Whether to follow a symbolic link at the path itself. Default: true. */
  readonly follow?: boolean;
  /** Absolute path of a folder. A file outside of it, reached through a link, counts as missing. */
  readonly within?: string | undefined;
}

/** O_PATH of open(2), which `node:fs` lacks: finds a file without opening it. */
const pathOnly = 0o10000000;
/** Errors of open(2) for a path that leads to no file. */
const absentCodes: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * Opens a regular file for reading; returns undefined if there is none. Another user may change the
 * path at any time: a pipe does not block, and a device is never opened, because opening one can have
 * effects (a watchdog reboots the machine).
 */
export async function openRegular(
  path: string,
  { follow = true, within }: OpenOptions = {},
): Promise<FileHandle | undefined> {
  const flags = constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW);
  if (process.platform !== 'linux') return await checked(await opened(path, flags));
  await using found = await opened(path, pathOnly | flags);
  if (!(await found?.stat())?.isFile()) return undefined;
  const sameFile = `/proc/self/fd/${found?.fd}`;
  if (within !== undefined && !(await isBelow(sameFile, within))) return undefined;
  return await opened(sameFile, constants.O_NONBLOCK);
}

/**
 * Returns the content of a regular file; undefined if there is none, or if it is larger. Reads at most
 * `maxBytes`, also from a file that grows and from one in /proc, whose size is 0.
 */
export async function readRegular(
  path: string,
  maxBytes: number,
  options?: OpenOptions,
): Promise<Buffer | undefined> {
  await using file = await openRegular(path, options);
  if (!file) return undefined;
  const { size } = await file.stat();
  if (size > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(size - total, 0) + 4096);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > maxBytes) return undefined;
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

async function opened(path: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (error instanceof Error && 'code' in error && absentCodes.has(error.code)) return undefined;
    throw error;
  }
}

/** Outside of Linux, where no server runs. */
async function checked(file: FileHandle | undefined): Promise<FileHandle | undefined> {
  if ((await file?.stat())?.isFile()) return file;
  await file?.close();
  return undefined;
}

/** Returns whether an open file is in a folder, by the path that the kernel knows. */
async function isBelow(openFile: string, folder: string): Promise<boolean> {
  return (await readlink(openFile)).startsWith(`${await realpath(folder)}${sep}`);
}

/** Returns whether an error means that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
