import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  isFile,
  makeFolder,
  readText,
  removeFile,
  writeText,
} from '../../../../appliance/server/host/files.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const mode = (path: string) => statSync(path).mode & 0o7777;

describe('writeText', () => {
  it('creates missing parent folders', async () => {
    const host = TemporaryHost.with({});
    await writeText(host, 'etc/landfall/deep/file', 'text');
    expect(readFileSync(host.path('etc/landfall/deep/file'), 'utf8')).toBe('text');
  });

  it('sets the permissions regardless of the umask', async () => {
    const host = TemporaryHost.with({});
    const before = process.umask(0o077);
    try {
      await writeText(host, 'open', 'text');
      await writeText(host, 'closed', 'text', { mode: 0o600 });
      await writeText(host, 'run', 'text', { mode: 0o755 });
    } finally {
      process.umask(before);
    }
    expect(['open', 'closed', 'run'].map((name) => mode(host.path(name)))).toEqual([
      0o644, 0o600, 0o755,
    ]);
  });

  it('replaces an existing file and its permissions', async () => {
    const host = TemporaryHost.with({ file: 'old and longer' });
    await writeText(host, 'file', 'new', { mode: 0o600 });
    expect(readFileSync(host.path('file'), 'utf8')).toBe('new');
    expect(mode(host.path('file'))).toBe(0o600);
  });

  it('replaces a symbolic link instead of following it', async () => {
    const host = TemporaryHost.with({ elsewhere: 'not to be touched' });
    symlinkSync('elsewhere', host.path('link'));
    await writeText(host, 'link', 'new');
    expect(lstatSync(host.path('link')).isSymbolicLink()).toBe(false);
    expect(readFileSync(host.path('elsewhere'), 'utf8')).toBe('not to be touched');
  });

  it('does not follow a symbolic link at the path of the temporary file', async () => {
    const host = TemporaryHost.with({ elsewhere: 'not to be touched' });
    symlinkSync('elsewhere', host.path('file.landfall-new'));
    await writeText(host, 'file', 'new');
    expect(readFileSync(host.path('file'), 'utf8')).toBe('new');
    expect(readFileSync(host.path('elsewhere'), 'utf8')).toBe('not to be touched');
  });

  it('overwrites the temporary file of an interrupted attempt', async () => {
    const host = TemporaryHost.with({ 'file.landfall-new': 'half of i', file: 'old' });
    await writeText(host, 'file', 'new');
    expect(readdirSync(host.root)).toEqual(['file']);
  });

  it('keeps the old file and leaves no temporary file on failure', async () => {
    const host = TemporaryHost.with({ 'folder/file': 'old' });
    await mkdir(host.path('taken/inside'), { recursive: true });
    await expect(writeText(host, 'taken', 'a folder is in the way')).rejects.toMatchObject({
      code: 'EISDIR',
    });
    expect(readdirSync(host.root).sort()).toEqual(['folder', 'taken']);
  });
});

describe('readText', () => {
  it('returns the text', async () => {
    expect(await readText(TemporaryHost.with({ file: 'grüße' }), 'file')).toBe('grüße');
  });

  it('returns undefined for a missing file', async () => {
    expect(await readText(TemporaryHost.with({}), 'no/such/file')).toBeUndefined();
  });

  it('returns undefined for a file that is too large', async () => {
    const host = TemporaryHost.with({});
    await writeFile(host.path('huge'), Buffer.alloc((4 << 20) + 1));
    expect(await readText(host, 'huge')).toBeUndefined();
  });
});

describe('isFile', () => {
  const host = TemporaryHost.with({ file: 'text' });
  chmodSync(host.path('file'), 0o644);

  it.each([
    ['the same text and permissions', 'file', 'text', {}, true],
    ['another text', 'file', 'text ', {}, false],
    ['other permissions', 'file', 'text', { mode: 0o600 }, false],
    ['no file at all', 'none', '', {}, false],
  ])('%s', async (_case, path, text, options, answer) => {
    expect(await isFile(host, path, text, options)).toBe(answer);
  });
});

describe('makeFolder', () => {
  it('sets the permissions of a new or existing folder', async () => {
    const host = TemporaryHost.with({});
    await makeFolder(host, 'a/b', { mode: 0o700 });
    expect(mode(host.path('a/b'))).toBe(0o700);
    await makeFolder(host, 'a/b', { mode: 0o755 });
    expect(mode(host.path('a/b'))).toBe(0o755);
  });

  it('keeps the content', async () => {
    const host = TemporaryHost.with({ 'a/file': 'text' });
    await makeFolder(host, 'a');
    expect(existsSync(host.path('a/file'))).toBe(true);
  });
});

describe('removeFile', () => {
  it('removes a file and accepts a missing one', async () => {
    const host = TemporaryHost.with({ 'a/file': 'text' });
    await removeFile(host, 'a/file');
    await removeFile(host, 'a/file');
    await removeFile(host, 'no/such/folder/file');
    expect(readdirSync(host.path('a'))).toEqual([]);
  });
});
