import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configureEditor, removeFromEditor, settingsFor } from '#editor/configure.ts';
import { type Editor, editors } from '#editor/editors.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { entriesOf, settingsText } from './arbitrary-settings.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-editor-'));
  path = join(folder, 'Cursor/User/settings.json');
  await mkdir(join(folder, 'Cursor/User'), { recursive: true });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const cursor = editors.find(({ name }) => name === 'cursor') as Editor;
const proxySettings = {
  editor: cursor,
  proxy: 'http://10.0.0.2:7890',
  strictSsl: true,
};
const configure = (change = {}) => configureEditor(path, { ...proxySettings, ...change });
const remove = () => removeFromEditor(path);
const values = async () => parse(await readFile(path, 'utf8')) as Record<string, unknown>;
const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

const written = {
  'http.proxy': 'http://10.0.0.2:7890',
  'window.titleBarStyle': 'custom',
  'cursor.general.disableHttp2': true,
};

describe('configuring an editor', () => {
  it('creates the settings of an editor that has none, and removes them again', async () => {
    await rm(join(folder, 'Cursor'), { recursive: true });
    expect((await configure()).changed).toEqual(Object.keys(written));
    expect(await values()).toEqual(written);
    expect((await remove()).restored).toEqual(Object.keys(written));
    await expect(stat(path)).rejects.toThrow('ENOENT');
    expect(await readdir(join(folder, 'Cursor/User'))).toEqual([]);
  });

  it('changes nothing in the second run', async () => {
    await configure();
    const before = await readFile(path);
    expect(await configure()).toMatchObject({ changed: [], backup: null });
    expect(await readFile(path)).toEqual(before);
  });

  it('corrects http.proxySupport only if the settings contain it', async () => {
    await writeFile(path, '{ "http.proxySupport": "off" }');
    await configure();
    expect(await values()).toEqual({ ...written, 'http.proxySupport': 'override' });
  });

  it('turns verification off only on request', async () => {
    await configure({ strictSsl: false });
    expect((await values())['http.proxyStrictSSL']).toBe(false);
  });

  it('makes settings with a password private, and remove restores the mode', async () => {
    await writeFile(path, '{}');
    await chmod(path, 0o644);
    const { backup } = await configure({ proxy: 'http://me:secret@10.0.0.2:7890' });
    expect([await modeOf(path), await modeOf(`${backup}`)]).toEqual([0o600, 0o644]);
    await remove();
    expect(await modeOf(path)).toBe(0o644);
  });

  it('keeps a byte order mark', async () => {
    await writeFile(path, '\ufeff{ "a": 1 }');
    await configure();
    expect(await readFile(path, 'utf8')).toMatch(/^\ufeff\{\s+"a": 1,/);
    await remove();
    expect(await readFile(path, 'utf8')).toBe('\ufeff{ "a": 1 }');
  });
});

describe('removing the settings', () => {
  it('restores the same bytes, for any settings and several runs', async () => {
    await fc.assert(
      fc.asyncProperty(settingsText, fc.boolean(), async (text, twice) => {
        await writeFile(path, text);
        await configure();
        expect(entriesOf(await readFile(path, 'utf8'))).toEqual(
          new Map([...entriesOf(text), ...Object.entries(written)]),
        );
        if (twice) await configure({ proxy: 'http://10.0.0.3:7890' });
        await remove();
        // Empty settings count as missing.
        expect(await readFile(path, 'utf8').catch(() => '')).toBe(text);
      }),
      { numRuns: fuzzRuns(200) },
    );
  });

  it('restores a value of several lines', async () => {
    const text = '{"window.titleBarStyle":[1,\n{"http.proxy": 2\n},]}';
    await writeFile(path, text);
    await configure();
    await remove();
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('keeps other edits of the user, and their comments', async () => {
    await writeFile(path, '{\n  // mine\n  "window.titleBarStyle": "native"\n}\n');
    await configure();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('// mine', '// still mine\n  "b": 1,'));
    expect((await remove()).restored).toEqual(Object.keys(written));
    expect(await readFile(path, 'utf8')).toBe(
      '{\n  // still mine\n  "b": 1,\n  "window.titleBarStyle": "native"\n}\n',
    );
  });

  it('keeps an edit between two runs', async () => {
    await writeFile(path, '{}\n');
    await configure();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('{', '{\n    "editor.fontSize": 14,'));
    await configure({ proxy: 'http://10.0.0.3:7890' });
    await remove();
    expect(await values()).toEqual({ 'editor.fontSize': 14 });
  });

  it('does nothing after a run that was interrupted before it wrote the settings', async () => {
    await writeFile(path, '{ "http.proxy": "http://old:1" }');
    await configure();
    await writeFile(path, '{ "http.proxy": "http://old:1" }');
    expect((await remove()).restored).toEqual([]);
    expect(await values()).toEqual({ 'http.proxy': 'http://old:1' });
  });

  it('rejects a removal without a backup', async () => {
    await writeFile(path, '{}');
    await expect(remove()).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });
});

describe('settings that cannot be changed', () => {
  /** Expects an error, and that nothing was written. */
  async function refuses(code: string): Promise<void> {
    await expect(configure()).rejects.toMatchObject({ code });
    expect(await readdir(join(folder, 'Cursor/User'))).toEqual(['settings.json']);
  }

  it('rejects broken settings, and leaves them unchanged', async () => {
    await writeFile(path, '{ "a": 1 "b": 2 }');
    await refuses('CONFIG_SYNTAX');
    expect(await readFile(path, 'utf8')).toBe('{ "a": 1 "b": 2 }');
  });

  it('rejects settings that are not UTF-8', async () => {
    await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]));
    await refuses('CONFIG_ENCODING');
  });

  it('rejects settings above 4 MiB', async () => {
    await writeFile(path, `{}${' '.repeat(4 << 20)}`);
    await refuses('FILE_ACCESS');
  });

  it('rejects settings that are a folder, a pipe or a broken link', async () => {
    await mkdir(path);
    await refuses('FILE_ACCESS');
    await rm(path, { recursive: true });
    execFileSync('mkfifo', [path]);
    await refuses('FILE_ACCESS');
    await rm(path);
    await symlink(join(folder, 'missing'), path);
    await refuses('FILE_ACCESS');
  });

  it('rejects settings that belong to another user', async () => {
    await writeFile(path, '{}');
    const uid = (process.getuid?.() ?? 0) + 1;
    if (process.getuid?.() === 0) await chown(path, uid, uid);
    else vi.spyOn(process, 'getuid').mockReturnValue(uid);
    await refuses('FILE_ACCESS');
  });

  it('changes settings behind a symbolic link, and keeps the link', async () => {
    const target = join(folder, 'dotfiles.json');
    await writeFile(target, '{}');
    await symlink(target, path);
    await configure();
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, 'utf8')).toContain('http.proxy');
    await remove();
    expect(await readFile(target, 'utf8')).toBe('{}');
  });
});

describe('the settings of an editor', () => {
  it.each(editors)('sets the title bar style for $name only if it has a window', (editor) => {
    const keys = settingsFor({ ...proxySettings, editor }, { entries: [] }).map(([key]) => key);
    expect(keys.includes('window.titleBarStyle')).toBe(editor.kind === 'desktop');
    expect(keys).not.toContain('http.proxyStrictSSL');
  });
});
