import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/** What an editor uses a host for. */
export type Purpose = 'AI' | 'sign-in' | 'extensions';

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
  readonly ownSettings: Readonly<Record<string, boolean>>;
  /** Hosts of its vendor by purpose. */
  readonly hosts: Readonly<Partial<Record<Purpose, readonly string[]>>>;
}

const github = 'github.com';
const vsCode = {
  ownSettings: {},
  hosts: {
    AI: ['api.githubcopilot.com'],
    'sign-in': [github],
    extensions: ['marketplace.visualstudio.com'],
  },
};
const openVsx = { ownSettings: {}, hosts: { extensions: ['open-vsx.org'] } };
const cursor = {
  // Proxies that buffer break HTTP/2 streams; Cursor then needs HTTP/1.1.
  ownSettings: { 'cursor.general.disableHttp2': true },
  hosts: {
    AI: ['api2.cursor.sh'],
    'sign-in': ['authenticator.cursor.sh', github],
    extensions: ['marketplace.cursorapi.com'],
  },
};
const windsurf = {
  // Its language server reads proxies only with this setting.
  ownSettings: { 'codeium.detectProxy': true },
  hosts: {
    AI: ['server.codeium.com'],
    'sign-in': ['windsurf.com', github],
    extensions: ['open-vsx.org'],
  },
};
const trae = {
  ownSettings: {},
  hosts: {
    AI: ['coresg-normal.trae.ai', 'trae-api-sg.mchost.guru'],
    'sign-in': ['www.trae.ai', github],
    extensions: ['api.trae.ai'],
  },
};

function editor(
  kind: Editor['kind'],
  [name, title, folder]: readonly [name: string, title: string, folder: string],
  vendor: Pick<Editor, 'ownSettings' | 'hosts'>,
): Editor {
  return { name, title, kind, folder, ...vendor };
}

/** The supported editors. Sources: the network pages of the vendors; Trae has none. */
export const editors: readonly Editor[] = [
  editor('desktop', ['code', 'VS Code', 'Code'], vsCode),
  editor('desktop', ['code-insiders', 'VS Code Insiders', 'Code - Insiders'], vsCode),
  editor('desktop', ['vscodium', 'VSCodium', 'VSCodium'], openVsx),
  editor('desktop', ['cursor', 'Cursor', 'Cursor'], cursor),
  editor('desktop', ['windsurf', 'Windsurf', 'Windsurf'], windsurf),
  editor('desktop', ['trae', 'Trae', 'Trae'], trae),
  editor('web', ['code-server', 'code-server', 'code-server'], openVsx),
  editor('remote', ['code-remote', 'VS Code, remote', '.vscode-server'], vsCode),
  editor('remote', ['cursor-remote', 'Cursor, remote', '.cursor-server'], cursor),
];

/** Values of `--editor`. */
export const editorNames: readonly string[] = editors.map(({ name }) => name);

/** For settings at an unknown path: the settings of VS Code, and no hosts of a vendor. */
const otherEditor = editor('desktop', ['other', 'this editor', ''], { ownSettings: {}, hosts: {} });

/** Where a user's files are. */
export interface UserFolders {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** An editor with the file that it reads. */
interface EditorSettings {
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

/** Options that select the settings. */
export interface SettingsFlags {
  readonly editor?: string;
  readonly settings?: string;
  readonly json?: boolean;
}

/**
 * Returns the editor and its settings: those of the options, or of the only editor that this user has
 * started at least once.
 * @throws LandfallError USAGE if the choice is not clear, FILE_MISSING without an editor
 */
export async function chooseSettings(
  folders: UserFolders & { readonly cwd: string },
  { editor: name, settings }: SettingsFlags,
): Promise<EditorSettings> {
  const { platform, cwd } = folders;
  if (platform !== 'linux' && platform !== 'darwin' && settings === undefined) {
    throw new LandfallError('USAGE', `the settings of editors on ${platform} are not known`, {
      hint: 'Use --settings with the path of settings.json.',
    });
  }
  const all = editors.map((editor) => ({ editor, path: settingsPath(editor, folders) }));
  if (settings !== undefined) {
    const path = resolve(cwd, settings);
    return all.find((each) => each.path === path) ?? { editor: otherEditor, path };
  }
  const named = all.find(({ editor }) => editor.name === name);
  if (named) return named;
  const isStarted = await Promise.all(all.map(({ path }) => isFolder(dirname(dirname(path)))));
  const found = all.filter((_, index) => isStarted[index]);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (only === undefined) {
    throw new LandfallError('FILE_MISSING', 'no editor with the settings of VS Code was found', {
      hint: 'Start the editor once, or use --editor or --settings.',
    });
  }
  throw new LandfallError('USAGE', 'several editors were found', {
    hint: 'Select one of them with --editor.',
    problems: found.map(({ editor, path }) => ({ message: `--editor ${editor.name}: ${path}` })),
  });
}

/** The XDG base directory specification requires that relative paths are ignored. */
function xdg(folder: string | undefined, defaults: string): string {
  return folder && isAbsolute(folder) ? folder : defaults;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
