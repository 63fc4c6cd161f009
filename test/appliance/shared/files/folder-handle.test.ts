import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FolderHandle } from '#files/folder-handle.ts';

const root = mkdtempSync(join(tmpdir(), 'landfall-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('FolderHandle', () => {
  it('creates a folder once, readable by all users', async () => {
    await using top = await FolderHandle.open(root);
    for (const name of ['made', 'made']) {
      await using made = await top.makeFolder(name);
      expect(statSync(made.path()).isDirectory()).toBe(true);
    }
    expect(statSync(join(root, 'made')).mode & 0o777).toBe(0o755);
  });

  it('stays in its folder when a link replaces it', async () => {
    const [folder, other] = [join(root, 'folder'), join(root, 'other')];
    for (const path of [folder, other]) mkdirSync(path);
    await using handle = await FolderHandle.open(folder);
    renameSync(folder, join(root, 'moved'));
    symlinkSync(other, folder);
    writeFileSync(handle.path('file'), 'text');
    expect(existsSync(join(root, 'moved', 'file'))).toBe(true);
    expect(existsSync(join(other, 'file'))).toBe(false);
  });

  it('rejects a link, a file and a missing folder', async () => {
    symlinkSync(root, join(root, 'link'));
    writeFileSync(join(root, 'file'), '');
    await using top = await FolderHandle.open(root);
    for (const name of ['link', 'file']) {
      await expect(top.openFolder(name)).rejects.toMatchObject({ code: 'ENOTDIR' });
      await expect(top.makeFolder(name)).rejects.toMatchObject({ code: 'ENOTDIR' });
    }
    await expect(top.openFolder('missing')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(['..', '../other', 'a/b', '/etc'])('rejects %s as a name', async (name) => {
    await using top = await FolderHandle.open(root);
    expect(() => top.path(name)).toThrow('is not a name');
  });
});
