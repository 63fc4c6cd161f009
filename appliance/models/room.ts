import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { isMissing } from '../host/files.ts';
import { freeSpace } from '../host/free-space.ts';
import type { Host } from '../host/host.ts';

/** What the system, its logs and the chats need beside a model. Bytes. */
const spare = 500e6;
/** Ollama's own names for what it has begun to fetch. */
const unfinished = /^sha256-[0-9a-f]{64}-partial(?:-\d+)?$/;
/** stat(2) counts in these, whatever the file system's own are. Bytes. */
const blockSize = 512;

/**
 * Makes sure that a model fits before its first byte is fetched.
 * @param store the engine's, from the root folder
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
 * Makes sure that the models of a bundle fit where they have to be copied: where the engine has a
 * disk of its own. On one disk they take no more room than they have already.
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

/** What a full disk makes of a write, as an error of ours; any other error as it is. */
export function asDiskFull(error: unknown): unknown {
  const isFull =
    error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(`${error.code}`);
  if (!isFull) return error;
  return new LandfallError('DISK_FULL', 'the disk is full', {
    hint: 'Free some space. What was laid out so far is kept.',
    cause: error,
  });
}

function tooLarge(name: string, size: number, free: number, missing: number): LandfallError {
  return new LandfallError(
    'DISK_FULL',
    `${name} takes ${formatBytes(size)}, and the disk has ${formatBytes(free)} free`,
    { hint: `Free ${formatBytes(missing)} more, or take a smaller model.` },
  );
}

/** What earlier pulls left to go on from. Such files have their full length from the beginning. */
async function fetchedBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const sizes = names
    .filter((name) => unfinished.test(name))
    // The engine may rename it this very moment.
    .map((name) =>
      stat(join(folder, name)).then(
        ({ blocks }) => blocks * blockSize,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
