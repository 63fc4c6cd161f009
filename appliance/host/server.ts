import { readFile, statfs } from 'node:fs/promises';
import { arch, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from '#contract/release-name.ts';

/** What the program needs to know of the machine that it runs on. */
export interface Server {
  /** `ID` and `VERSION_ID` of os-release(5): `debian`, `12`. */
  readonly distribution: { readonly id: string; readonly version: string };
  readonly arch: Architecture | undefined;
  /** Bytes. */
  readonly memory: number;
  /** Bytes free where releases and images go. */
  readonly freeDisk: number;
}

/** Looks at a machine; `root` is its root folder, `/` but in tests. */
export async function inspectServer(root: string): Promise<Server> {
  const [release, disk] = await Promise.all([
    readFile(join(root, 'etc/os-release'), 'utf8'),
    statfs(root),
  ]);
  const field = (name: string) =>
    new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(release)?.[1] ?? 'unknown';
  return {
    distribution: { id: field('ID'), version: field('VERSION_ID') },
    arch: architectures[arch()],
    memory: totalmem(),
    freeDisk: disk.bavail * disk.bsize,
  };
}

/** Node's names for the two architectures. */
const architectures: Readonly<Record<string, Architecture>> = { x64: 'amd64', arm64: 'arm64' };
