import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';

import { isMissing } from '#files/open-regular.ts';
import { freeSpace } from '../host/free-space.ts';
import type { Host } from '../host/host.ts';

/** Space to leave for the system, its logs and the chats. Bytes. */
const spare = 500e6;
/** Ollama's files of unfinished downloads. */
const unfinished = /^sha256-[0-9a-f]{64}-partial(?:-\d+)?$/;
/** The unit of `st_blocks` in stat(2), on all file systems. Bytes. */
const blockSize = 512;

/**
 * Verifies that a model fits on the disk before it is downloaded.
 * @param store Ollama's store, relative to the root folder
 * @param size bytes of the model
 * @throws LandfallError DISK_FULL
 */
export async function needRoomForPull(
  host: Host,
  store: string,
  name: string,
  size: number,
): Promise<void> {
  const [{ free }, fetched] = await Promise.all([
    freeSpace(host, store),
    fetchedBytes(host.path(store, 'blobs')),
  ]);
  if (size - fetched + spare > free)
    throw tooLarge(name, size, free, size - fetched + spare - free);
}

/**
 * Verifies that bundled models fit if they must be copied to another device. On the same device, hard
 * links take no space.
 * @param releaseFolder absolute path
 * @throws LandfallError DISK_FULL
 */
export async function needRoomForCopy(
  host: Host,
  releaseFolder: string,
  store: string,
  size: number,
): Promise<void> {
  const [{ device, free }, { dev }] = await Promise.all([
    freeSpace(host, store),
    stat(releaseFolder),
  ]);
  if (device !== dev && size + spare > free)
    throw tooLarge('the model', size, free, size + spare - free);
}

/** Converts the error of a write to a full disk; returns any other error unchanged. */
export function asDiskFull(error: unknown): unknown {
  const isFull =
    error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(`${error.code}`);
  if (!isFull) return error;
  return new LandfallError('DISK_FULL', 'the disk is full', {
    hint: 'Free some space. Copied files are kept.',
    cause: error,
  });
}

function tooLarge(name: string, size: number, free: number, missing: number): LandfallError {
  return new LandfallError(
    'DISK_FULL',
    `not enough disk space for ${name}: ${formatBytes(size)} needed, ${formatBytes(free)} free`,
    { hint: `Free ${formatBytes(missing)} more, or choose a smaller model.` },
  );
}

/** Counts the allocated bytes of unfinished downloads; their files have the full length at once. */
async function fetchedBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const sizes = names
    .filter((name) => unfinished.test(name))
    // Ollama may rename the file at any time.
    .map((name) =>
      stat(join(folder, name)).then(
        ({ blocks }) => blocks * blockSize,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
