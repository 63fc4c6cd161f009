import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { replaceFile } from '#files/replace-file.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { watchSyncs } from './on-disk.ts';

const mode = (path: string) => statSync(path).mode & 0o7777;
const folderWith = (files: Readonly<Record<string, string>>) => TemporaryHost.with(files).root;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('replacing a file', () => {
  it('syncs the content before the rename, and the folder afterwards', async () => {
    const path = join(folderWith({ file: 'old' }), 'file');
    const seen = await watchSyncs(path, () => readFileSync(path, 'utf8'));
    await replaceFile(path, 'new');
    expect(seen).toEqual(['old', 'new']);
  });

  it('sets the given mode regardless of the umask, which applies otherwise', async () => {
    const folder = folderWith({});
    const before = process.umask(0o077);
    try {
      await replaceFile(join(folder, 'given'), 'text', { mode: 0o644 });
      await replaceFile(join(folder, 'default'), 'text');
    } finally {
      process.umask(before);
    }
    expect([mode(join(folder, 'given')), mode(join(folder, 'default'))]).toEqual([0o644, 0o600]);
  });

  it('prepares the file at the given path', async () => {
    const folder = folderWith({ 'other/unfinished': 'half of an earlier try' });
    await writeFile(join(folder, 'file'), 'old');
    await replaceFile(join(folder, 'file'), 'new', {
      unfinished: join(folder, 'other/unfinished'),
    });
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
    expect(readdirSync(join(folder, 'other'))).toEqual([]);
  });

  it('does not follow symbolic links', async () => {
    const folder = folderWith({ elsewhere: 'unchanged' });
    symlinkSync('elsewhere', join(folder, 'file'));
    symlinkSync('elsewhere', join(folder, 'file.landfall-new'));
    await replaceFile(join(folder, 'file'), 'new');
    expect(lstatSync(join(folder, 'file')).isFile()).toBe(true);
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('unchanged');
  });

  it('leaves no temporary file after a failure', async () => {
    const folder = folderWith({});
    mkdirSync(join(folder, 'file/inside'), { recursive: true });
    await expect(replaceFile(join(folder, 'file'), 'new')).rejects.toThrow('EISDIR');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
