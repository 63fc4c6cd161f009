import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '#contract/text/amount.ts';
import { expectSpace, freeSome, freeSpace } from '../../server/host/free-space.ts';
import type { Host } from '../../server/host/host.ts';
import { stopRestic } from './restic.ts';

/** Where a backup is restored for a test: on the disk of Landfall, or on that of Docker. */
const folders = ['var/lib/landfall/backup/test', 'var/lib/docker/landfall-backup-test'] as const;
/** Bytes that must stay free. */
const reserve = 512 << 20;

/** Removes the restored files of a test, also of one that was killed. They contain secrets. */
export async function removeScratch(host: Host): Promise<void> {
  await stopRestic(host);
  const paths = folders.map((folder) => host.path(folder));
  await host.run('rm', ['-rf', '--', ...paths], { seconds: 3600 });
}

/**
 * Creates the folder for a test, which only root can read, on the disk with more free space.
 * @param needed bytes
 * @returns its path relative to the root folder
 * @throws LandfallError DISK_FULL before anything is written
 */
export async function makeScratch(host: Host, needed: number): Promise<string> {
  await removeScratch(host);
  const [own, docker] = await Promise.all([
    freeSpace(host, folders[0]),
    freeSpace(host, folders[1]),
  ]);
  // The free space of one disk changes between two looks.
  const isBigger = docker.device !== own.device && docker.free > own.free;
  const best = isBigger ? { path: folders[1], ...docker } : { path: folders[0], ...own };
  const [size, spare] = [needed, reserve].map(formatBytes);
  expectSpace({
    needed: needed + reserve,
    free: best.free,
    message: (_, free) =>
      `a restore test needs ${size}, and ${spare} must stay free, but ${free} are free`,
    hint: freeSome({ en: 'Nothing was written.', zh: '没有写入任何内容。' }),
  });
  await mkdir(host.path(best.path), { recursive: true, mode: 0o700 });
  return best.path;
}

/** Returns the number of files, folders and links below a folder. Links are not followed. */
export async function countEntries(folder: string): Promise<number> {
  let count = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    count += 1 + (entry.isDirectory() ? await countEntries(join(folder, entry.name)) : 0);
  }
  return count;
}
