import { stat, statfs } from 'node:fs/promises';
import { z } from 'zod';
import { diskSettingsFile } from '#contract/server-paths.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { isMissing } from '#files/open-regular.ts';
import type { Host } from '../host/host.ts';
import { StateFile } from '../host/state-file.ts';
import { type Condition, idOf, noneKnown } from './condition.ts';

/** Folders on the file systems that fill up: that of the system, and that of Docker. */
const folders = ['.', 'var/lib/docker'];

const settingsSchema = z.object({
  /** Share of the file system, 0 to 1. */
  share: z.number().min(0).max(1).default(0.1),
  /** Bytes. */
  bytes: z.number().nonnegative().default(2e9),
});
type DiskSettings = z.infer<typeof settingsSchema>;

/** The limits of the administrator, or the defaults. */
export const diskLimits = new StateFile(diskSettingsFile, settingsSchema, {
  initial: settingsSchema.parse({}),
});

/** A file system with little free space. */
export interface LowDisk {
  /** Absolute path of a folder in it. */
  readonly folder: string;
  /** Bytes. */
  readonly free: number;
  readonly size: number;
}

/**
 * Returns the file systems of the system and of Docker that are low on space: less is free than 10 % or
 * 2 GB, or than what the administrator has set in disk.json.
 * @param factor of both limits
 */
export async function lowDisks(host: Host, factor = 1): Promise<LowDisk[]> {
  const settings = await diskLimits.read(host);
  const found = await Promise.all(folders.map((folder) => measure(host, folder)));
  return lowOf(found.flat(), settings, factor);
}

interface Measured extends LowDisk {
  /** Device number. */
  readonly device: number;
}

async function measure(host: Host, folder: string): Promise<Measured[]> {
  try {
    const path = host.path(folder);
    const [{ dev: device }, { bavail, bsize, blocks }] = await Promise.all([
      stat(path),
      statfs(path),
    ]);
    const name = folder === '.' ? '/' : `/${folder}`;
    return [{ folder: name, device, free: bavail * bsize, size: blocks * bsize }];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns the file systems below the limits, each once. */
export function lowOf(
  disks: readonly Measured[],
  { share, bytes }: DiskSettings,
  factor = 1,
): LowDisk[] {
  const isSame = (one: Measured, other: Measured) =>
    // An overlay and its file system have other devices and the same figures.
    one.device === other.device || (one.size === other.size && one.free === other.free);
  return disks
    .filter((disk, index) => disks.findIndex((each) => isSame(each, disk)) === index)
    .filter(({ free, size }) => free < factor * Math.max(bytes, share * size))
    .map(({ folder, free, size }) => ({ folder, free, size }));
}

/** An announced file system has recovered at this multiple of the limits, so that alerts do not repeat. */
const recovered = 1.25;

/** Returns a condition for each file system that is low on space. @param known see `Known` */
export async function diskConditions(
  host: Host,
  _site?: unknown,
  known = noneKnown,
): Promise<Condition[]> {
  const low = new Set((await lowDisks(host)).map(({ folder }) => folder));
  return (await lowDisks(host, recovered))
    .map(lowDisk)
    .filter((each) => low.has(each.subject ?? '') || known.has(idOf(each)));
}

/** Returns a low file system as a condition: `low disk space: 1.5 GB of 40.0 GB free in /`. */
export function lowDisk({ folder, free, size }: LowDisk): Condition {
  const [left, all] = [formatBytes(free), formatBytes(size)];
  return {
    ...{ topic: 'disk', subject: folder, severity: 'attention', command: 'sudo landfall doctor' },
    what: {
      en: `low disk space: ${left} of ${all} free in ${folder}`,
      zh: `磁盘空间不足：${folder} 剩余 ${left}（共 ${all}）`,
    },
  };
}
