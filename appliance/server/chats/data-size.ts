import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { isMissing } from '#files/open-regular.ts';
import { diskFull, freeSpace } from '../host/free-space.ts';
import type { Host } from '../host/host.ts';
import { volumeFolder } from './sandbox.ts';
import { isUpload } from './volume-copy.ts';

/** Bytes that must stay free beside the copy. */
const reserve = 512 << 20;

/** The space that the copy of the chats needs. Bytes. */
export interface CopySpace {
  readonly size: number;
  readonly free: number;
}

/** Returns the size of what an update copies: the data of the chat UI without uploads, which are linked. */
export async function copySpace(host: Host): Promise<CopySpace> {
  const folder = await volumeFolder(host, 'ui-data');
  if (!folder) return { size: 0, free: Number.MAX_SAFE_INTEGER };
  const size = await copiedSize(`${folder}/_data`);
  // Relative to the root folder of the host.
  const { free } = await freeSpace(host, folder.slice(host.root.length));
  return { size, free };
}

/** Returns the bytes of all files but uploads. A file that is deleted meanwhile does not count. */
async function copiedSize(folder: string, path = ''): Promise<number> {
  let bytes = 0;
  const entries = await unlessMissing(readdir(join(folder, path), { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const name = `${path}${entry.name}`;
    if (entry.isDirectory()) bytes += await copiedSize(folder, `${name}/`);
    else if (entry.isFile() && !isUpload(path, entry.name)) {
      bytes += (await unlessMissing(lstat(join(folder, name))))?.size ?? 0;
    }
  }
  return bytes;
}

async function unlessMissing<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return await reading.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

/**
 * Says what is missing for an update that keeps a way back; undefined if all of it fits.
 * @param release bytes that the release takes, besides what is on the disk already
 */
export function shortageOf({ size, free }: CopySpace, release = 0): Text | undefined {
  if (free >= release + size + reserve) return undefined;
  const [all, copy, spare, left] = [release + size + reserve, size, reserve, free].map(formatBytes);
  const forRelease = formatBytes(release);
  return release === 0
    ? {
        en: `the copy of the chats needs ${copy}, and ${spare} must stay free, but ${left} are free`,
        zh: `复制对话数据需要 ${copy}，另需保留 ${spare}，但剩余空间只有 ${left}`,
      }
    : {
        en: `the update needs ${all} (up to ${forRelease} for the release, ${copy} for the copy of the chats, ${spare} in reserve), but ${left} are free`,
        zh: `更新需要 ${all}（新版本最多 ${forRelease}，复制对话数据 ${copy}，保留 ${spare}），但剩余空间只有 ${left}`,
      };
}

/** @throws LandfallError DISK_FULL before anything is closed */
export function expectSpaceForCopy(space: CopySpace): void {
  const shortage = shortageOf(space);
  if (shortage) throw diskFull(inLanguage(shortage));
}
