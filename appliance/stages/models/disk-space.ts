import { stat } from 'node:fs/promises';
import { formatBytes } from '#contract/text/amount.ts';
import { statIfPresent } from '../../server/host/files.ts';
import { diskFull, freeSpace } from '../../server/host/free-space.ts';
import type { Host } from '../../server/host/host.ts';

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
  const { free } = await freeSpace(host, store);
  needRoom(name, size, { fetched: await fetchedBytes(host, `${store}/blobs`), free });
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
  if (device !== dev) needRoom('the model', size, { fetched: 0, free });
}

/** Converts the error of a write to a full disk; returns any other error unchanged. */
export function asDiskFull(error: unknown): unknown {
  const isFull =
    error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(`${error.code}`);
  if (!isFull) return error;
  const hint = {
    en: 'Free some space. Copied files are kept.',
    zh: '释放一些空间。已复制的文件会保留。',
  };
  return diskFull('the disk is full', hint, error);
}

function needRoom(
  name: string,
  size: number,
  { fetched, free }: { readonly fetched: number; readonly free: number },
): void {
  const missing = size - fetched + spare - free;
  if (missing <= 0) return;
  const [more, all, left] = [missing, size, free].map(formatBytes);
  throw diskFull(`not enough disk space for ${name}: ${all} needed, ${left} free`, {
    en: `Free ${more} more, or choose a smaller model.`,
    zh: `再释放 ${more}，或选择较小的模型。`,
  });
}

/** Counts the allocated bytes of unfinished downloads; their files have the full length at once. */
async function fetchedBytes(host: Host, folder: string): Promise<number> {
  const names = (await host.namesIn(folder)).filter((name) => unfinished.test(name));
  // Ollama may rename a file at any time.
  const found = await Promise.all(names.map((name) => statIfPresent(host, `${folder}/${name}`)));
  return found.reduce((sum, file) => sum + (file?.blocks ?? 0) * blockSize, 0);
}
