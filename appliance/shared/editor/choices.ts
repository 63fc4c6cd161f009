import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import {
  type EditorSettings,
  editors,
  findEditors,
  otherEditor,
  settingsPath,
  type UserFolders,
} from './editors.ts';
import { editorProxy, hasLogin, type Login } from './proxy.ts';

/** What the actions need from a program, so that the builder and the server share them. */
export interface EditorContext extends UserFolders {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly cwd: string;
  /** Asks for one of several values; undefined if the user cannot be prompted. */
  readonly choose: ((message: string, options: readonly Choice[]) => Promise<string>) | undefined;
  /** Asks for a secret without echo; undefined if the user cannot be prompted. */
  readonly askSecret: ((message: string) => Promise<string>) | undefined;
  /** Sets the exit code of a command that prints its result and does not throw. */
  setExitCode(code: number): void;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Options that select the settings. */
export interface SettingsFlags {
  readonly editor?: string;
  readonly settings?: string;
  readonly json?: boolean;
}

/**
 * Returns the editor and its settings: those of the options, or of the only editor, or of the one
 * that the user chooses.
 * @throws LandfallError USAGE if the choice is not clear, FILE_MISSING without an editor
 */
export async function chooseSettings(
  context: EditorContext,
  { editor: name, settings, json }: SettingsFlags,
): Promise<EditorSettings> {
  const { platform } = context;
  if (platform !== 'linux' && platform !== 'darwin' && settings === undefined) {
    throw new LandfallError('USAGE', `the settings of editors on ${platform} are not known`, {
      hint: 'Use --settings with the path of settings.json.',
    });
  }
  if (settings !== undefined && name !== undefined) {
    throw new LandfallError('USAGE', '--editor and --settings cannot be used together', {
      hint: 'Use one of them.',
    });
  }
  if (settings !== undefined) return atPath(resolve(context.cwd, settings), context);
  const known = editors.find((editor) => editor.name === name);
  if (known) return { editor: known, path: settingsPath(known, context) };
  const found = await findEditors(context);
  const [only] = found;
  if (only === undefined) throw noEditor();
  if (found.length === 1) return only;
  const { choose } = context;
  if (choose === undefined || json) throw severalEditors(found);
  const options = found.map(({ editor: { name: value, title }, path }) => ({
    ...{ value, label: `${title}: ${path}` },
  }));
  const chosen = await choose('Which editor?', options);
  return found.find(({ editor }) => editor.name === chosen) ?? only;
}

function atPath(path: string, context: EditorContext): EditorSettings {
  const editor = editors.find((each) => settingsPath(each, context) === path);
  return { editor: editor ?? otherEditor, path };
}

function noEditor(): LandfallError {
  return new LandfallError('FILE_MISSING', 'no editor with the settings of VS Code was found', {
    hint: 'Start the editor once, or use --editor or --settings.',
  });
}

function severalEditors(found: readonly EditorSettings[]): LandfallError {
  return new LandfallError('USAGE', 'several editors were found', {
    hint: 'Select one of them with --editor.',
    problems: found.map(({ editor, path }) => ({ message: `--editor ${editor.name}: ${path}` })),
  });
}

/** Variable with the password of the proxy. */
const passwordVariable = 'LANDFALL_PROXY_PASSWORD';

/** Options that select the proxy. */
export interface ProxyFlags {
  readonly proxy?: string;
  readonly proxyUser?: string;
}

/**
 * Returns the URL of the proxy. A login comes from a prompt or from the environment, because other
 * users can see command lines.
 * @throws LandfallError USAGE
 */
export async function proxyOf(context: EditorContext, flags: ProxyFlags): Promise<string> {
  const { env } = context;
  if (flags.proxy !== undefined && hasLogin(flags.proxy)) throw loginInArguments();
  const url = flags.proxy ?? (env.HTTPS_PROXY || env.https_proxy || '');
  if (url === '') {
    throw new LandfallError('USAGE', 'the proxy is unknown: HTTPS_PROXY is not set', {
      hint: 'Add the proxy, for example --proxy http://10.0.0.2:7890',
    });
  }
  return editorProxy(url, await loginOf(context, flags));
}

async function loginOf(
  { env, askSecret }: EditorContext,
  { proxyUser: user }: ProxyFlags,
): Promise<Login | undefined> {
  if (user === undefined) return undefined;
  const given = env[passwordVariable];
  if (given) return { user, password: given };
  const password = await askSecret?.(`Password of ${user} at the proxy`);
  if (password) return { user, password };
  throw new LandfallError('USAGE', 'the password of the proxy is empty or cannot be prompted for', {
    hint: `Set the environment variable ${passwordVariable}, or run this on a terminal.`,
  });
}

function loginInArguments(): LandfallError {
  return new LandfallError('USAGE', '--proxy must not contain a user or a password', {
    hint: `Use --proxy-user, and enter the password at the prompt or in ${passwordVariable}: other users can see command lines.`,
  });
}
