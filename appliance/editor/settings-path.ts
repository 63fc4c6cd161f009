import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Editor, editors } from './editors.ts';

/** Where a user's files are. */
export interface UserFolders {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** An editor with the file that it reads. */
export interface EditorSettings {
  readonly editor: Editor;
  readonly path: string;
}

/** Returns the path of an editor's settings on Linux or macOS, whether the file exists or not. */
export function settingsPath({ kind, folder }: Editor, { env, platform }: UserFolders): string {
  const home = env.HOME || homedir();
  if (kind === 'remote') return join(home, folder, 'data', 'Machine', 'settings.json');
  // code-server uses the XDG folders on macOS too.
  const base = {
    web: xdg(env.XDG_DATA_HOME, join(home, '.local', 'share')),
    desktop:
      platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : xdg(env.XDG_CONFIG_HOME, join(home, '.config')),
  }[kind];
  return join(base, folder, 'User', 'settings.json');
}

/** Returns the folder of Landfall's backups of settings. */
export function stateFolder({ env }: UserFolders): string {
  const home = env.HOME || homedir();
  return join(xdg(env.XDG_STATE_HOME, join(home, '.local', 'state')), 'landfall', 'editor');
}

/** Returns the editors that this user has started at least once. */
export async function findEditors(folders: UserFolders): Promise<EditorSettings[]> {
  const all = editors.map((editor) => ({ editor, path: settingsPath(editor, folders) }));
  const found = await Promise.all(all.map(({ path }) => isFolder(dirname(dirname(path)))));
  return all.filter((_, index) => found[index]);
}

/** The XDG base directory specification requires that relative paths are ignored. */
function xdg(given: string | undefined, defaultPath: string): string {
  return given && isAbsolute(given) ? given : defaultPath;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
