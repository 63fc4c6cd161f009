import { statfs } from 'node:fs/promises';
import type { TargetState } from '../../server/records/backups.ts';
import { type Restic, runInUnit } from './restic.ts';

/**
 * Returns the space on the file system of a target, in bytes; null if the target does not say: a bucket
 * has no limit, and some SFTP servers do not support the question.
 */
export async function spaceAt({ host, repository }: Restic): Promise<TargetState['space']> {
  const { folder, space } = repository;
  if (folder) {
    const found = await statfs(folder[0]).catch(() => undefined);
    if (!found) return null;
    const { bavail, bsize, blocks } = found;
    return { free: bavail * bsize, size: blocks * bsize };
  }
  if (!space) return null;
  const { command, input } = space;
  const printed = await runInUnit(host, repository, command, { seconds: 60, input }).catch(
    () => '',
  );
  return spaceIn(printed);
}

/**
 * Reads what `df` of sftp(1) prints: a line of names, and one of numbers in KiB: size, used, available to
 * this user, available to root, and a share.
 */
export function spaceIn(printed: string): TargetState['space'] {
  const [, size, free] = /^ *(\d+) +\d+ +(\d+) +\d+ +\d+%$/m.exec(printed) ?? [];
  return size && free ? { free: Number(free) * 1024, size: Number(size) * 1024 } : null;
}
