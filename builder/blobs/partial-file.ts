import { createHash } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Digest, hexOf } from '#contract/trust/digest.ts';

/**
 * An unfinished blob that one process works on. Its name says whose it is:
 *
 *   partial/<hex>                          nobody's: left by a failed or cancelled build
 *   partial/<hex>.<host>.<pid>.<number>    this process's, or left by one that was killed
 *
 * Taking over is one rename, which succeeds for one process only; there is no lock that could be
 * left behind or be taken away from its owner. What another live process has is never touched:
 * this one begins with an empty file beside it.
 */
export class PartialFile {
  readonly path: string;
  readonly #unclaimed: string;

  private constructor(path: string, unclaimed: string) {
    this.path = path;
    this.#unclaimed = unclaimed;
  }

  /** Takes over the largest abandoned part of a blob, or begins with an empty one. */
  static async claim(folder: string, digest: Digest): Promise<PartialFile> {
    const hex = hexOf(digest);
    lastNumber += 1;
    const name = `${hex}.${thisHost}.${process.pid}.${lastNumber}`;
    ours.add(name);
    const claimed = new PartialFile(join(folder, name), join(folder, hex));
    const parts = await abandonedParts(folder, hex);
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      if (!(await isRenamed(part, claimed.path))) continue;
      for (const smaller of parts) await rm(smaller, { force: true });
      return claimed;
    }
    await (await open(claimed.path, 'wx', 0o644)).close();
    return claimed;
  }

  /** Moves the finished blob to its place, replacing what is there, and lets go of it. */
  async publish(target: string): Promise<void> {
    await rename(this.path, target);
    this.#letGo();
  }

  /** Leaves what there is for the next one who wants this blob. */
  async release(): Promise<void> {
    if ((await sizeOf(this.path)) > 0) await isRenamed(this.path, this.#unclaimed);
    else await rm(this.path, { force: true });
    this.#letGo();
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    this.#letGo();
  }

  #letGo(): void {
    ours.delete(nameOf(this.path));
  }
}

/** Process ids mean nothing on another host, or in another container, that shares the folder. */
const thisHost = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
/** What this process works on now: its id may have belonged to another one before. */
const ours = new Set<string>();
let lastNumber = 0;

/** Whoever works writes at least every few minutes; this is for ids that are in use again. */
const silentMs = 60 * 60 * 1000;

/** Paths of the parts of a blob that nobody works on, the largest first. */
async function abandonedParts(folder: string, hex: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(
    (name) => name === hex || name.startsWith(`${hex}.`),
  );
  const parts = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, size: await sizeOf(path), isFree: await isAbandoned(path, name) };
    }),
  );
  const free = parts.filter(({ isFree }) => isFree);
  return free.sort((one, other) => other.size - one.size).map(({ path }) => path);
}

async function isAbandoned(path: string, name: string): Promise<boolean> {
  if (ours.has(name)) return false;
  const [, host, pid] = name.split('.');
  if (host === undefined) return true;
  if (host === thisHost && !isOtherLiving(Number(pid))) return true;
  const modified = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
  return Date.now() - modified > silentMs;
}

function isOtherLiving(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not being allowed to signal a process takes that there is one.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** False when somebody else was faster. */
async function isRenamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
