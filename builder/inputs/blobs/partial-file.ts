import { createHash } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import { isMissing } from '#files/open-regular.ts';

/**
 * An unfinished blob that one process writes. The file name encodes its owner:
 *
 *   partial/<hex>                          unowned: left by a failed or cancelled build
 *   partial/<hex>.<host>.<pid>.<number>    owned by this process, or left by a killed one
 *
 * Taking over is one atomic rename, which succeeds for one process only. There is no lock file to
 * go stale. A file of another running process is never touched: this process starts a new one.
 */
export class PartialFile {
  readonly path: string;
  readonly #unclaimed: string;

  private constructor(path: string, unclaimed: string) {
    this.path = path;
    this.#unclaimed = unclaimed;
  }

  /** Takes over the largest abandoned partial file of a blob, or creates an empty one. */
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

  /** Moves the finished blob to its final path, replacing an existing file. */
  async publish(target: string): Promise<void> {
    await rename(this.path, target);
    this.#letGo();
  }

  /** Keeps the bytes for a later download of this blob. */
  async release(): Promise<void> {
    const found = await stat(this.path).catch(() => undefined);
    if (found?.size) await isRenamed(this.path, this.#unclaimed);
    else await rm(this.path, { force: true });
    this.#letGo();
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    this.#letGo();
  }

  #letGo(): void {
    ours.delete(basename(this.path));
  }
}

/** Process ids are not valid across hosts or containers that share the folder. */
const thisHost = createHash('sha256').update(hostname()).digest('hex').slice(0, 12);
/** Files that this process is writing. A recycled process id alone would be ambiguous. */
const ours = new Set<string>();
let lastNumber = 0;

/** A running download writes at least every few minutes. This handles recycled process ids. */
const silentMs = 60 * 60 * 1000;

/** Returns the paths of the abandoned partial files of a blob, largest first. */
async function abandonedParts(folder: string, hex: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(
    (name) => name === hex || name.startsWith(`${hex}.`),
  );
  const parts = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      return found && isAbandoned(name, found.mtimeMs) ? [{ path, size: found.size }] : [];
    }),
  );
  const byDescendingSize = parts.flat().sort((one, other) => other.size - one.size);
  return byDescendingSize.map(({ path }) => path);
}

function isAbandoned(name: string, modifiedMs: number): boolean {
  if (ours.has(name)) return false;
  const [, host, pid] = name.split('.');
  if (host === undefined || (host === thisHost && !isOtherLiving(Number(pid)))) return true;
  return Date.now() - modifiedMs > silentMs;
}

function isOtherLiving(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns false if another process renamed the file first. */
async function isRenamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
