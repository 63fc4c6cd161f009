import { randomUUID } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { arch, availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { isMissing } from '#files/open-regular.ts';
import { readText } from './files.ts';
import type { Host } from './host.ts';

/** Properties of the server that stages depend on. */
export interface Server {
  /** `ID` and `VERSION_ID` of os-release(5): `debian`, `12`. */
  readonly distribution: { readonly id: string; readonly version: string };
  /** `VERSION_CODENAME` of os-release(5), the name of its package suites: `bookworm`. */
  readonly codename: string;
  readonly arch: Architecture | undefined;
  /** Bytes. */
  readonly memory: number;
  /** Bytes that the kernel keeps for crash dumps (kdump), and that are not part of `memory`. */
  readonly crashMemory: number;
  /** Number of CPUs available to this process. */
  readonly cpus: number;
  /** Free bytes on the root file system. */
  readonly freeDisk: number;
  /**
   * The container type of this server (`docker`, `lxc`, `openvz`); undefined for a virtual or
   * physical machine.
   */
  readonly container: string | undefined;
}

/** Inspects the server. `root` is its root folder, `/` except in tests. */
export async function inspectServer(root: string): Promise<Server> {
  const [release, disk, container, crashMemory] = await Promise.all([
    readFile(join(root, 'etc/os-release'), 'utf8'),
    statfs(root),
    containerKind(root),
    reservedForCrashes(root),
  ]);
  const field = (name: string) =>
    plainLine(new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(release)?.[1] ?? 'unknown', 64);
  return {
    distribution: { id: field('ID'), version: field('VERSION_ID') },
    codename: field('VERSION_CODENAME'),
    arch: architectures[arch()],
    memory: totalmem(),
    crashMemory,
    cpus: availableParallelism(),
    freeDisk: disk.bavail * disk.bsize,
    container,
  };
}

const architectures: Readonly<Record<string, Architecture>> = { x64: 'amd64', arm64: 'arm64' };

/** Returns the container type that systemd detected; see systemd-detect-virt(1). */
async function containerKind(root: string): Promise<string | undefined> {
  try {
    const kind = await readFile(join(root, 'run/systemd/container'), 'utf8');
    return plainLine(kind, 64) || undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the bytes of `crashkernel=`: see kexec_crash_size in sysfs. 0 for a kernel without kdump. */
async function reservedForCrashes(root: string): Promise<number> {
  const text = await readFile(join(root, 'sys/kernel/kexec_crash_size'), 'utf8').catch(() => '0');
  return Number(text.trim()) || 0;
}

/** Returns the name of the server; see hostname(5). */
export async function serverName(host: Host): Promise<string> {
  const lines = ((await readText(host, 'etc/hostname')) ?? '').split('\n');
  const name = lines.find((line) => line.trim() !== '' && !line.startsWith('#'));
  return plainLine(name ?? '', 64) || 'this server';
}

/** Changes with each boot; see random(4). */
const bootIdFile = 'proc/sys/kernel/random/boot_id';

/** Returns the ID of the current boot. Without a boot ID, each call returns a new random one. */
export async function bootId(host: Host): Promise<string> {
  return (await readText(host, bootIdFile))?.trim() || randomUUID();
}
