import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import type { Text } from '#contract/text/language.ts';
import { isMissing } from '#files/open-regular.ts';
import type { Host } from './host.ts';

/** Free space on a file system. */
export interface FreeSpace {
  /** Device number. Paths with the same number share their free space. */
  readonly device: number;
  /** Bytes. */
  readonly free: number;
}

/** Returns the free space at a path, or at its closest existing parent. */
export async function freeSpace(host: Host, path: string): Promise<FreeSpace> {
  try {
    const [{ dev }, { bavail, bsize }] = await Promise.all([
      stat(host.path(path)),
      statfs(host.path(path)),
    ]);
    return { device: dev, free: bavail * bsize };
  } catch (error) {
    if (isMissing(error) && path !== '.') return await freeSpace(host, dirname(path));
    throw error;
  }
}

/** Space that an action needs, in bytes. */
interface SpaceNeed {
  /** With what must stay free. */
  readonly needed: number;
  readonly free: number;
  /** Returns the message of the error. */
  readonly message: (needed: string, free: string) => string;
  readonly hint?: Text;
}

/** Checks that there is space for an action, before it begins. @throws LandfallError DISK_FULL */
export function expectSpace({ needed, free, message, hint }: SpaceNeed): void {
  if (free < needed) throw diskFull(message(formatBytes(needed), formatBytes(free)), hint);
}

/** Returns the error for a full disk of this server. */
export function diskFull(message: string, hint = freeSome(), cause?: unknown): LandfallError {
  return new LandfallError('DISK_FULL', message, { hint, cause });
}

/** Returns the hint to free some space. @param then a sentence about what the action has done */
export function freeSome(
  then: Text = { en: 'Nothing was changed.', zh: '没有更改任何内容。' },
): Text {
  return {
    en: `Free some space: \`sudo landfall doctor\` names what is large. ${then.en}`,
    zh: `释放空间：\`sudo landfall doctor\` 会列出占用空间大的内容。${then.zh}`,
  };
}
