import { diskFull, freeSome, freeSpace } from '../../server/host/free-space.ts';
import type { Host } from '../../server/host/host.ts';

/** Milliseconds: a fast disk takes 125 MB in this time. */
const interval = 250;

interface DiskGuard {
  /** Where files are written, relative to the root folder. */
  readonly path: string;
  /** Bytes that must stay free. */
  readonly reserve: number;
  /** Makes the work fail. */
  readonly end: () => Promise<void>;
}

/**
 * Does something that writes files from elsewhere, and ends it before the disk is full: the size that a
 * repository states is a claim of who wrote it.
 * @throws LandfallError DISK_FULL instead of the error of the work that was ended
 */
export async function guardDisk<Result>(
  host: Host,
  { path, reserve, end }: DiskGuard,
  work: () => Promise<Result>,
): Promise<Result> {
  let isFull = false;
  const timer = setInterval(async () => {
    const { free } = await freeSpace(host, path).catch(() => ({ free: reserve }));
    if (isFull || free >= reserve) return;
    isFull = true;
    await end();
  }, interval);
  try {
    return await work();
  } catch (cause) {
    if (!isFull) throw cause;
    const hint = freeSome({
      en: 'If the backup states a smaller size, use another one.',
      zh: '如果备份写的大小较小，请换一个备份。',
    });
    throw diskFull('the files of the backup would fill the disk', hint, cause);
  } finally {
    clearInterval(timer);
  }
}
