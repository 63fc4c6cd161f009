import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ignoreInGit } from '../../../../builder/base/files/git.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-ignore-'));
});
afterEach(() => rm(folder, { recursive: true }));

const text = () => readFile(join(folder, '.gitignore'), 'utf8');

describe('what git ignores', () => {
  it('adds an entry that git ignores once', async () => {
    await ignoreInGit(folder, ['*.key', '/dist/']);
    await ignoreInGit(folder, ['/dist/', '*.key', '/more']);
    expect(await text()).toBe('*.key\n/dist/\n/more\n');
  });

  it('keeps the lines of the user, including a last line without a line break', async () => {
    await writeFile(join(folder, '.gitignore'), 'node_modules\r\n*.key\r\n*.log');
    await ignoreInGit(folder, ['*.key', '/dist/']);
    expect(await text()).toBe('node_modules\r\n*.key\r\n*.log\n/dist/\n');
  });

  it('fails with the name of the file if it cannot be written', async () => {
    await mkdir(join(folder, '.gitignore'));
    await expect(ignoreInGit(folder, ['*.key'])).rejects.toMatchObject({
      code: 'FILE_ACCESS',
      message: expect.stringContaining('.gitignore'),
    });
  });
});
