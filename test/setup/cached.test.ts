import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cached } from './cached.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'landfall-cached-'));
});
afterEach(async () => await rm(cache, { recursive: true }));

async function make(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'made'), '');
}

/** Simulates a last use some hours ago. */
async function leave(folder: string, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * 3_600_000);
  await utimes(folder, then, then);
}

async function mustNotRun(): Promise<void> {
  throw new Error('made twice');
}

describe('a cached folder', () => {
  it('reuses a cached folder for the same inputs', async () => {
    const folder = await cached(cache, 'tree', ['a'], make);
    expect(await cached(cache, 'tree', ['a'], mustNotRun)).toBe(folder);
    expect(await readdir(folder)).toEqual(['made']);
  });

  it('replaces only the one of other inputs', async () => {
    const other = await cached(cache, 'other', ['a'], make);
    await leave(await cached(cache, 'tree', ['a'], make), 4);
    const folder = await cached(cache, 'tree', ['b'], make);
    expect((await readdir(cache)).map((name) => join(cache, name)).sort()).toEqual(
      [folder, other].sort(),
    );
  });

  // A run with other inputs removed a folder that a longer parallel run was about to use.
  it('does not replace a recently used one, regardless of its age', async () => {
    const used = await cached(cache, 'tree', ['a'], make);
    await leave(used, 48);
    await cached(cache, 'tree', ['a'], mustNotRun);
    await cached(cache, 'tree', ['b'], make);
    expect(await readdir(used)).toEqual(['made']);
  });

  // Two runs started at the same time, and the slower one lost its folder.
  it('reuses a cached folder if a parallel run was faster', async () => {
    const overtaken = async (folder: string) => {
      await make(folder);
      await cached(cache, 'tree', ['a'], make);
      await make(folder);
    };
    const folder = await cached(cache, 'tree', ['a'], overtaken);
    expect(await readdir(folder)).toEqual(['made']);
    expect(await readdir(cache)).toHaveLength(1);
  });

  it('leaves nothing behind after a failure', async () => {
    const half = async (folder: string) => {
      await make(folder);
      throw new Error('disk full');
    };
    await expect(cached(cache, 'tree', ['a'], half)).rejects.toThrow('disk full');
    expect(await readdir(cache)).toEqual([]);
  });
});
