import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workTreeProblems } from '../../../../builder/base/files/work-tree-problems.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-work-tree-'));
});
afterEach(() => rm(folder, { recursive: true }));

const git = (...args: string[]) =>
  execa('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
  });
const write = (name: string) => writeFile(join(folder, name), name);

async function commit(name: string): Promise<void> {
  await write(name);
  await git('add', '--all');
  await git('commit', '--quiet', '--message', name);
}

describe('a checkout', () => {
  beforeEach(async () => {
    await git('init', '--quiet');
    await commit('one');
  });

  it('reports no problems of a checkout without a tag, and with the tag at its commit', async () => {
    expect(await workTreeProblems(folder, 'v1.0.0')).toEqual([]);
    await git('tag', '--annotate', '--message', 'release', 'v1.0.0');
    expect(await workTreeProblems(folder, 'v1.0.0')).toEqual([]);
  });

  it('must not have a tag at another commit', async () => {
    await git('tag', 'v1.0.0');
    await commit('two');
    expect(await workTreeProblems(folder, 'v1.0.0')).toEqual([
      'the tag v1.0.0 is at another commit',
    ]);
  });

  it('must have no changes; many are counted', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await write(name);
    expect(await workTreeProblems(folder, 'v1.0.0')).toEqual([
      ...['a', 'b', 'c', 'd', 'e'].map((name) => `not committed: ${name}`),
      'not committed: 2 more',
    ]);
  });
});

describe('a folder that is not a checkout', () => {
  it('reports a folder that is not a checkout as a problem', async () => {
    expect(await workTreeProblems(folder, 'v1.0.0')).toEqual([`${folder} is not a git checkout`]);
  });
});
