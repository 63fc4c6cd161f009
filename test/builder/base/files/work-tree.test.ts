import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workTreeOf } from '../../../../builder/base/files/git.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-work-tree-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the git work tree of a folder', () => {
  it('finds the nearest git work tree above, even if the folder does not exist', async () => {
    await mkdir(join(folder, '.git'));
    expect(await workTreeOf(join(folder, 'a/b'))).toBe(folder);
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'a/.git'), 'gitdir: elsewhere');
    expect(await workTreeOf(join(folder, 'a/b'))).toBe(join(folder, 'a'));
  });

  it('returns no git work tree outside of one', async () => {
    expect(await workTreeOf(join(folder, 'a/b'))).toBeUndefined();
  });
});
