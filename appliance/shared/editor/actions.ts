import { LandfallError } from '#contract/errors.ts';
import { isHostAndPort } from '#contract/site/network/plain-host.ts';
import { say } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { systemNetwork } from '#probe/exchange/network.ts';
import { maskedUrl } from '#proxy-settings/variables.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { checkHosts, checkTable, hostsOf, isConnected, remedies } from './check-hosts.ts';
import { type Configured, configureEditor, removeFromEditor } from './configure.ts';
import { chooseSettings, type Editor, type SettingsFlags, type UserFolders } from './editors.ts';
import { type EditorWarning, editorProxy, hasLogin, readProxy } from './proxy.ts';
import { readSettings } from './settings-file.ts';

/** What the actions need from a program, so that the builder and the server share them. */
export interface EditorContext extends UserFolders {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly cwd: string;
  /** Prompts for the password of the proxy; undefined without a terminal. */
  readonly askPassword: (() => Promise<string>) | undefined;
  /** Returns additional certificate authorities in PEM. */
  readonly readCa: () => Promise<string | undefined>;
  /** Sets the exit code of a command that prints its result and does not throw. */
  setExitCode(code: number): void;
}

/** Options of `landfall editor configure`. */
export interface ConfigureFlags extends SettingsFlags {
  readonly proxy?: string;
  readonly strictSsl: boolean;
}

/** Writes the proxy into the settings of an editor. @throws LandfallError USAGE, CONFIG_…, FILE_… */
export async function configureAction(
  context: EditorContext,
  flags: ConfigureFlags,
): Promise<void> {
  const { editor, path } = await chooseSettings(context, flags);
  const proxy = await editorProxy(flags.proxy, context);
  const { strictSsl } = flags;
  const result = await configureEditor(path, { editor, proxy, strictSsl });
  const { path: settings, changed, backup } = result;
  const shown = { editor: editor.name, settings, proxy: maskedUrl(proxy), changed, backup };
  const warnings = warningsOf(proxy, settings, strictSsl);
  printResult(context, flags, { ...shown, warnings }, describe(editor, shown.proxy, result));
}

function describe(
  { title, kind }: Editor,
  proxy: string,
  { path, changed, backup }: Configured,
): string {
  if (changed.length === 0)
    return say(`${path} already has these settings.`, `${path} 已有这些设置。`);
  const restart =
    kind === 'remote'
      ? say('Reload the window', '重新加载窗口')
      : say(`Quit ${title} completely, start it`, `完全退出 ${title} 并重新启动`);
  return [
    say(
      `${title} uses ${proxy}: changed ${changed.join(', ')}`,
      `${title} 使用 ${proxy}：更改了 ${changed.join('、')}`,
    ),
    say(`settings  ${path}`, `设置  ${path}`),
    say(`backup    ${backup}`, `备份  ${backup}`),
    say(`${restart}, then run: landfall editor check`, `${restart}，再运行：landfall editor check`),
  ].join('\n');
}

function warningsOf(proxy: string, path: string, strictSsl: boolean): EditorWarning[] {
  const warnings: EditorWarning[] = [];
  if (hasLogin(proxy)) {
    const text = `${path} contains the password of the proxy. Only you can read it (mode 0600): do not sync or publish it.`;
    warnings.push({ kind: 'password', text });
  }
  if (!strictSsl) {
    const text =
      'The editor no longer verifies certificates, so a man in the middle can read your code and your password. Use this for debugging only.';
    warnings.push({ kind: 'no-verification', text });
  }
  return warnings;
}

/** Undoes `landfall editor configure`. @throws LandfallError STATE_INVALID, CONFIG_…, FILE_… */
export async function removeAction(context: EditorContext, flags: SettingsFlags): Promise<void> {
  const { editor, path } = await chooseSettings(context, flags);
  const { path: settings, restored } = await removeFromEditor(path);
  const result = { editor: editor.name, settings, restored, warnings: [] };
  const keys =
    restored.length > 0
      ? say(`restored ${restored.join(', ')}`, `已恢复 ${restored.join('、')}`)
      : say('nothing was restored', '没有恢复任何设置');
  printResult(context, flags, result, `${settings}${say(': ', '：')}${keys}`);
}

/** Options of `landfall editor check`. */
export interface CheckFlags extends SettingsFlags {
  readonly host: readonly string[];
}

/** Exit code of a network failure (`docs/errors.md`). */
const notConnected = 5;

/**
 * Tests the hosts of an editor's vendor through the proxy of its settings. Exits with 5 if one fails.
 * @throws LandfallError CONFIG_INVALID if the editor ignores the proxy; USAGE; CONFIG_…
 */
export async function checkAction(context: EditorContext, flags: CheckFlags): Promise<void> {
  const { stdout, env } = context;
  const { editor, path } = await chooseSettings(context, flags);
  const hosts = hostsOf(editor, flags.host.map(checkedHost));
  if (hosts.length === 0) {
    throw new LandfallError('USAGE', `the hosts of the editor with ${path} are not known`, {
      hint: "Add the vendor's API hosts with --host.",
    });
  }
  const settings = await readSettings(path);
  const proxy = readProxy(settings);
  const results = await checkHosts(hosts, proxy.url, systemNetwork(await context.readCa()));
  const connected = isConnected(results);
  const result = {
    ...{ editor: editor.name, settings: settings.path, proxy: maskedUrl(proxy.url), connected },
    hosts: results.map(({ remedy: name, ...rest }) => ({
      ...rest,
      ...(name && { symptom: name, remedy: remedies[name] }),
    })),
    warnings: proxy.warnings,
  };
  const title = `${editor.title}${say(', proxy ', '，代理 ')}${result.proxy}\n\n`;
  printResult(context, flags, result, title + checkTable(results, paintFor(stdout, env)));
  if (!connected) context.setExitCode(notConnected);
}

function checkedHost(host: string): string {
  if (!/[/?#@\\]/.test(host) && isHostAndPort(host)) return host;
  throw new LandfallError('USAGE', `--host ${host} is not a host name`, {
    hint: 'Use a host name without a scheme and a path, such as api2.cursor.sh',
  });
}

/** Prints a result as JSON, or its warnings to stderr and its text to stdout. */
function printResult(
  { stdout, stderr, env }: EditorContext,
  { json }: SettingsFlags,
  result: { readonly warnings: readonly EditorWarning[] },
  text: string,
): void {
  if (json) {
    stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  const paint = paintFor(stderr, env);
  for (const { text: warning } of result.warnings) {
    stderr.write(`${paint('yellow', say('warning:', '警告：'))} ${translated(warning)}\n`);
  }
  stdout.write(`${text}\n`);
}
