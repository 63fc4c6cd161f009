import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cached } from './cached.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'landfall-cached-'));
});
afterEach(() => rm(cache, { recursive: true }));

const make = async (folder: string) => void (await mkdir(folder));
const of = (inputs: string) => cached(cache, 'images', inputs, make);
const age = (folder: string, hours: number) => {
  const then = new Date(Date.now() - hours * 3_600_000);
  return utimes(folder, then, then);
};

describe('what tests keep between runs', () => {
  it('is made once for the same inputs', async () => {
    const first = await of('a');
    const again = await cached(cache, 'images', 'a', () => Promise.reject(new Error('made again')));
    expect(again).toBe(first);
  });

  it('leaves nothing where making it failed', async () => {
    const failing = async (folder: string) => {
      await mkdir(folder);
      throw new Error('no disk');
    };
    await expect(cached(cache, 'images', 'a', failing)).rejects.toThrow('no disk');
    expect(await of('a')).toSatisfy(existsSync);
  });

  it('goes when it is old and something newer takes its place', async () => {
    const old = await of('a');
    await age(old, 4);
    await of('b');
    expect(existsSync(old)).toBe(false);
  });

  // A run with other inputs took away what a longer one beside it was about to use.
  it('stays while a run may use it, however long ago it was made', async () => {
    const used = await of('a');
    await age(used, 48);
    await of('a');
    await of('b');
    expect(existsSync(used)).toBe(true);
  });
});
