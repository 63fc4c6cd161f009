import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editors, findEditors, settingsPath, stateFolder } from '#editor/editors.ts';

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
    const env = { HOME: home };
    const [one, ...others] = editors;
    for (const editor of others.slice(0, 2)) {
      const path = settingsPath(editor, { platform: 'linux', env });
      await mkdir(dirname(dirname(path)), { recursive: true });
    }
    const found = await findEditors({ platform: 'linux', env });
    expect(found.map(({ editor }) => editor.name)).toEqual(
      others.slice(0, 2).map(({ name }) => name),
    );
    expect(found.map(({ editor }) => editor.name)).not.toContain(one?.name);
  });
});

describe('the folder of backups', () => {
  it.each([
    [{ HOME: '/home/me' }, '/home/me/.local/state/landfall/editor'],
    [{ HOME: '/home/me', XDG_STATE_HOME: '/s' }, '/s/landfall/editor'],
  ])('places the backups in the state folder: %j', (env, folder) => {
    expect(stateFolder({ env, platform: 'linux' })).toBe(folder);
  });
});
