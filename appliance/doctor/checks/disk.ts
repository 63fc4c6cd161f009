import { statfs } from 'node:fs/promises';
import { formatBytes } from '#contract/text/format-bytes.ts';

import { isMissing } from '#files/open-regular.ts';
import type { Host } from '../../host/host.ts';
import type { Check, Finding, Fix } from '../finding.ts';

/** Folders that must be writable, each possibly on its own file system. */
const folders = ['.', 'var', 'var/lib/docker', 'var/lib/landfall', 'var/log', 'tmp'];
/** Bytes. The preflight rejects a server with less. */
const minFree = 0.3e9;
/** Share of the inodes. A file system without inodes is full, whatever `df` shows. */
const minInodes = 0.01;

interface Usage {
  readonly folder: string;
  /** Bytes. */
  readonly free: number;
  readonly size: number;
  /** 0 to 1; 1 if the file system has no fixed number of inodes. */
  readonly inodes: number;
}

/** Reports file systems without free space or inodes. */
export const diskCheck: Check = {
  name: 'disk',
  root: false,
  needs: 'server',
  run: async (host) =>
    checkDisks((await Promise.all(folders.map((folder) => usageOf(host, folder)))).flat()),
};

async function usageOf(host: Host, folder: string): Promise<Usage[]> {
  try {
    const { bavail, bsize, blocks, files, ffree } = await statfs(host.path(folder));
    const inodes = files === 0 ? 1 : ffree / files;
    return [{ folder, free: bavail * bsize, size: blocks * bsize, inodes }];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns one finding per full file system. A small one counts as full below a twentieth. */
export function checkDisks(disks: readonly Usage[]): Finding[] {
  const full = disks.filter(
    ({ free, size, inodes }) => free < Math.min(minFree, size / 20) || inodes < minInodes,
  );
  // Folders on one file system have the same figures.
  const distinct = new Map(full.map((each) => [`${each.size} ${each.free}`, each]));
  return [...distinct.values()].map(({ folder, free, inodes }) => ({
    code: 'DISK_FULL',
    subject: folder === '.' ? '/' : `/${folder}`,
    text:
      inodes < minInodes
        ? `the file system of /${folder === '.' ? '' : folder} has no free inodes`
        : `only ${formatBytes(free)} is free in /${folder === '.' ? '' : folder}`,
    fix: freeSomeSpace,
  }));
}

const freeSomeSpace: Fix = {
  does: {
    en: 'remove downloaded packages, and journal entries beyond 100 MB',
    zh: '删除下载的软件包，以及超过 100 MB 的日志',
  },
  apply: async ({ host }) => {
    await host.run('apt-get', ['clean']);
    await host.run('journalctl', ['--vacuum-size=100M']);
  },
};
