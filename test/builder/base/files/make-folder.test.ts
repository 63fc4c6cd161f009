import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../builder/base/files/folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-folder-'));
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a new folder', () => {
  it('creates a new folder with its parents, all with its mode', async () => {
    await makeFolder(join(folder, 'a/b/c'), 0o700);
    expect(await modeOf(join(folder, 'a'))).toBe(0o700);
    expect(await modeOf(join(folder, 'a/b/c'))).toBe(0o700);
  });

  it('may exist, or be created concurrently', async () => {
    const path = join(folder, 'a/b/c');
    await Promise.all([makeFolder(path), makeFolder(path), makeFolder(path)]);
    await makeFolder(path);
    await makeFolder('/');
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('rejects a new folder if a file is in the way', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(folder, 'file/x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('rejects a new folder if the file system does not allow it (regression: endless loop)', async () => {
    for (const path of ['/proc/landfall', '/proc/landfall/below']) {
      await expect(makeFolder(path)).rejects.toMatchObject({
        code: 'FILE_ACCESS',
        message: 'cannot create the folder /proc/landfall',
      });
    }
  });
});
