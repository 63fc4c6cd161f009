import { readFile, statfs } from 'node:fs/promises';
import { arch, availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { isMissing } from './files.ts';

/** What the program needs to know of the machine that it runs on. */
export interface Server {
  /** `ID` and `VERSION_ID` of os-release(5): `debian`, `12`. */
  readonly distribution: { readonly id: string; readonly version: string };
  /** `VERSION_CODENAME` of os-release(5), the name of its package suites: `bookworm`. */
  readonly codename: string;
  readonly arch: Architecture | undefined;
  /** Bytes. */
  readonly memory: number;
  /** How many processors a program may use at once. */
  readonly cpus: number;
  /** Bytes free where the root folder lies. */
  readonly freeDisk: number;
  /**
   * The kind of container that this machine is (`docker`, `lxc`, `openvz`), undefined for a machine
   * with a kernel of its own.
   */
  readonly container: string | undefined;
}

/** Looks at a machine; `root` is its root folder, `/` but in tests. */
export async function inspectServer(root: string): Promise<Server> {
  const [release, disk, container] = await Promise.all([
    readFile(join(root, 'etc/os-release'), 'utf8'),
    statfs(root),
    containerKind(root),
  ]);
  const field = (name: string) =>
    new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(release)?.[1] ?? 'unknown';
  return {
    distribution: { id: field('ID'), version: field('VERSION_ID') },
    codename: field('VERSION_CODENAME'),
    arch: architectures[arch()],
    memory: totalmem(),
    cpus: availableParallelism(),
    freeDisk: disk.bavail * disk.bsize,
    container,
  };
}

/** Node's names for the two architectures. */
const architectures: Readonly<Record<string, Architecture>> = { x64: 'amd64', arm64: 'arm64' };

/** systemd writes down what it found itself in; see systemd-detect-virt(1). */
async function containerKind(root: string): Promise<string | undefined> {
  try {
    return (await readFile(join(root, 'run/systemd/container'), 'utf8')).trim() || undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
