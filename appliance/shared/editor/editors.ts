import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** What an editor uses a host for. */
export type Purpose = 'AI' | 'sign-in' | 'extensions';

/** A value in settings.json that Landfall writes. */
export type SettingValue = string | boolean | readonly string[];

/** An editor that reads the settings of VS Code. */
export interface Editor {
  /** Value of `--editor`. */
  readonly name: string;
  readonly title: string;
  /**
   * `desktop` has a window, `web` runs in a browser, `remote` is the part of a desktop editor on a
   * server, whose settings are called Machine settings.
   */
  readonly kind: 'desktop' | 'web' | 'remote';
  /** Its folder: in the configuration folder of a desktop, else from the home or data folder. */
  readonly folder: string;
  /** Settings that this editor needs behind a proxy in addition to those of VS Code. */
  readonly ownSettings: Readonly<Record<string, SettingValue>>;
  /** Hosts of its vendor by purpose. */
  readonly hosts: Readonly<Partial<Record<Purpose, readonly string[]>>>;
  /** Whether the vendor documents that the AI requests of this editor use `http.proxy`. */
  readonly isVerified: boolean;
}

const github = ['github.com'];
const openVsx = { extensions: ['open-vsx.org'] };
const codeHosts = {
  AI: ['api.githubcopilot.com'],
  'sign-in': github,
  extensions: ['marketplace.visualstudio.com'],
};
/** Proxies that buffer break HTTP/2 streams; Cursor then needs HTTP/1.1. */
const cursorSettings = { 'cursor.general.disableHttp2': true };
const cursorHosts = {
  AI: ['api2.cursor.sh'],
  'sign-in': ['authenticator.cursor.sh', ...github],
  extensions: ['marketplace.cursorapi.com'],
};
/** Its language server reads proxies only with this setting. */
const windsurfSettings = { 'codeium.detectProxy': true };
const windsurfHosts = {
  AI: ['server.codeium.com'],
  'sign-in': ['windsurf.com', ...github],
  ...openVsx,
};

function desktop(
  [name, title, folder]: readonly [name: string, title: string, folder: string],
  hosts: Editor['hosts'],
  { ownSettings = {}, isVerified = true }: Partial<Editor> = {},
): Editor {
  return { name, title, kind: 'desktop', folder, ownSettings, hosts, isVerified };
}

/** The supported editors. Sources: the network pages of the vendors; Trae has none. */
export const editors: readonly Editor[] = [
  desktop(['code', 'VS Code', 'Code'], codeHosts),
  desktop(['code-insiders', 'VS Code Insiders', 'Code - Insiders'], codeHosts),
  desktop(['vscodium', 'VSCodium', 'VSCodium'], openVsx),
  desktop(['cursor', 'Cursor', 'Cursor'], cursorHosts, { ownSettings: cursorSettings }),
  desktop(['windsurf', 'Windsurf', 'Windsurf'], windsurfHosts, { ownSettings: windsurfSettings }),
  desktop(
    ['trae', 'Trae', 'Trae'],
    {
      AI: ['coresg-normal.trae.ai', 'trae-api-sg.mchost.guru'],
      'sign-in': ['www.trae.ai', ...github],
      extensions: ['api.trae.ai'],
    },
    { isVerified: false },
  ),
  {
    ...{ name: 'code-server', title: 'code-server', kind: 'web', folder: 'code-server' },
    ...{ ownSettings: {}, hosts: openVsx, isVerified: true },
  },
  {
    ...{ name: 'code-remote', title: 'VS Code, remote', kind: 'remote', folder: '.vscode-server' },
    ...{ ownSettings: {}, hosts: codeHosts, isVerified: true },
  },
  {
    ...{ name: 'cursor-remote', title: 'Cursor, remote', kind: 'remote', folder: '.cursor-server' },
    ...{ ownSettings: cursorSettings, hosts: cursorHosts, isVerified: true },
  },
];

/** Values of `--editor`. */
export const editorNames: readonly string[] = editors.map(({ name }) => name);

/** For settings at an unknown path: the settings of VS Code, and no hosts of a vendor. */
export const otherEditor: Editor = desktop(['other', 'this editor', ''], {});

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
function xdg(given: string | undefined, defaults: string): string {
  return given && isAbsolute(given) ? given : defaults;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
