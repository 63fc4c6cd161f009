import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseSettings, editors, settingsPath } from '#editor/editors.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'landfall-editor-home-'));
});
afterEach(() => rm(home, { recursive: true }));

const pathOf = (name: string, platform: NodeJS.Platform, env = {}) =>
  editors
    .filter((editor) => editor.name === name)
    .map((editor) => settingsPath(editor, { platform, env: { HOME: '/home/me', ...env } }))
    .at(0);

describe('the path of the settings', () => {
  it.each([
    ['code', 'linux', {}, '/home/me/.config/Code/User/settings.json'],
    ['code', 'linux', { XDG_CONFIG_HOME: '/c' }, '/c/Code/User/settings.json'],
    ['code', 'linux', { XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/Code/User/settings.json'],
    [
      'code-insiders',
      'darwin',
      { XDG_CONFIG_HOME: '/c' },
      '/home/me/Library/Application Support/Code - Insiders/User/settings.json',
    ],
    ['code-server', 'linux', {}, '/home/me/.local/share/code-server/User/settings.json'],
    ['code-server', 'darwin', { XDG_DATA_HOME: '/d' }, '/d/code-server/User/settings.json'],
    ['code-remote', 'linux', {}, '/home/me/.vscode-server/data/Machine/settings.json'],
  ] as const)('returns the settings path of %s on %s with %j', (name, platform, env, path) => {
    expect(pathOf(name, platform, env)).toBe(path);
  });

  it('differs for every editor', () => {
    const paths = editors.map(({ name }) => pathOf(name, 'linux'));
    expect(new Set(paths).size).toBe(editors.length);
  });
});

describe('the editors of a user', () => {
  it('finds the editors that have a folder, even without settings', async () => {
    const folders = { platform: 'linux', env: { HOME: home }, cwd: home } as const;
    const paths = editors.slice(1, 3).map((editor) => settingsPath(editor, folders));
    const [first = '', second = ''] = paths;
    await mkdir(dirname(dirname(first)), { recursive: true });
    expect(await chooseSettings(folders, {})).toEqual({ editor: editors[1], path: first });
    await mkdir(dirname(dirname(second)), { recursive: true });
    await expect(chooseSettings(folders, {})).rejects.toMatchObject({
      problems: paths.map((path) => ({ message: expect.stringContaining(path) })),
    });
  });
});
