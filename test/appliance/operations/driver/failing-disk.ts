/**
 * Makes the functions of `node:fs/promises` that change files fail at a chosen moment. A test replaces
 * the module by {@link failing}:
 *
 *     vi.mock('node:fs/promises', async (original) => failing(await original()));
 */
const changing = [
  ...['appendFile', 'chmod', 'copyFile', 'cp', 'lchown', 'link', 'mkdir', 'open', 'rename', 'rm'],
  ...['symlink', 'utimes', 'writeFile'],
];
/** What a full disk still does. */
const possibleOnFullDisk = new Set(['chmod', 'lchown', 'rename', 'rm', 'utimes']);

/** When the disk fails: from the given change on, all of them. */
class Disk {
  /** Changes so far. */
  done = 0;
  failsAt = Number.POSITIVE_INFINITY;
  /** `dead`: as after a power cut, nothing happens any more. `full`: nothing new can be written. */
  how: 'dead' | 'full' = 'dead';

  /** Counts a change. @throws Error when the disk has failed */
  change(what: string): void {
    this.done += 1;
    if (this.done <= this.failsAt) return;
    if (this.how === 'dead') throw new Error(`dead at change ${this.failsAt}`);
    if (possibleOnFullDisk.has(what)) return;
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  }

  /** Starts to count from zero. */
  reset(failsAt = Number.POSITIVE_INFINITY, how: 'dead' | 'full' = 'dead'): void {
    this.done = 0;
    this.failsAt = failsAt;
    this.how = how;
  }
}

export const disk = new Disk();

type Functions = Record<string, unknown>;

/** Returns the module with functions that count changes and fail. */
export function failing(original: object): object {
  const functions = original as Functions;
  const replaced = changing.map((name) => {
    const real = functions[name] as (...args: unknown[]) => unknown;
    const replacement = async (...args: unknown[]) => {
      // A file that is only read.
      if (name !== 'open' || isWriting(args[1])) disk.change(name);
      return await real(...args);
    };
    return [name, replacement] as const;
  });
  return { ...functions, ...Object.fromEntries(replaced) };
}

function isWriting(flags: unknown): boolean {
  return typeof flags === 'string' && flags !== 'r';
}
