import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { isMissing } from '#files/open-regular.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { checkHosts, checkTable, hostsOf, isConnected, remedies } from './check-hosts.ts';
import {
  chooseSettings,
  type EditorContext,
  type ProxyFlags,
  proxyOf,
  type SettingsFlags,
} from './choices.ts';
import { type Configured, configureEditor, removeFromEditor } from './configure.ts';
import { type Editor, stateFolder } from './editors.ts';
import { fileErrorOf } from './file-access.ts';
import { isHostName, maskedProxy, readProxy } from './proxy.ts';
import { readSettingsFile } from './settings-file.ts';
import { decodeSettings } from './settings-text.ts';

/** Options of `landfall editor configure`. */
export interface ConfigureFlags extends SettingsFlags, ProxyFlags {
  readonly direct: readonly string[];
  readonly strictSsl: boolean;
}

/** Writes the proxy into the settings of an editor. @throws LandfallError USAGE, CONFIG_…, FILE_… */
export async function configureAction(
  context: EditorContext,
  flags: ConfigureFlags,
): Promise<void> {
  const { editor, path } = await chooseSettings(context, flags);
  const proxy = await proxyOf(context, flags);
  const { direct: noProxy, strictSsl } = flags;
  const proxySettings = { editor, proxy, noProxy, strictSsl };
  const result = await configureEditor(path, proxySettings, stateFolder(context));
  const { path: settings, changed, backup, warnings } = result;
  const shown = { editor: editor.name, settings, proxy: maskedProxy(proxy), changed };
  const notes = notesOf(editor);
  const all = { ...shown, backup: backup ?? null, notes, warnings };
  printResult(context, flags.json, all, describe(editor, proxy, result, notes));
}

function describe(
  { title, kind }: Editor,
  proxy: string,
  { path, changed, backup }: Configured,
  notes: readonly string[],
): string {
  if (changed.length === 0) return `${path} already has these settings.`;
  const restart = kind === 'remote' ? 'Reload the window' : `Quit ${title} completely, start it`;
  return [
    `${title} uses ${maskedProxy(proxy)}: changed ${changed.join(', ')}`,
    `settings  ${path}`,
    `backup    ${backup}`,
    ...notes,
    `${restart}, then run: landfall editor check`,
  ].join('\n');
}

/** Returns what settings cannot do. */
function notesOf({ kind, isVerified, title }: Editor): string[] {
  const remote =
    'In the settings of the editor on your own computer, set http.useLocalProxyConfiguration to false; otherwise the server uses the proxy of that computer.';
  const unverified = `${title} does not document that its AI requests use http.proxy. If they fail, set HTTPS_PROXY before you start it, or use the TUN mode of the proxy program.`;
  return [...(kind === 'remote' ? [remote] : []), ...(isVerified ? [] : [unverified])];
}

/** Undoes `landfall editor configure`. @throws LandfallError STATE_INVALID, CONFIG_…, FILE_… */
export async function removeAction(context: EditorContext, flags: SettingsFlags): Promise<void> {
  const { editor, path } = await chooseSettings(context, flags);
  const { path: settings, restored } = await removeFromEditor(path, stateFolder(context));
  const shown = { editor: editor.name, settings, restored, warnings: [] };
  const keys = restored.length > 0 ? `restored ${restored.join(', ')}` : 'nothing was restored';
  printResult(context, flags.json, shown, `${settings}: ${keys}`);
}

/** Options of `landfall editor check`. */
export interface CheckFlags extends SettingsFlags {
  readonly host: readonly string[];
  readonly ca?: string;
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
  const ca = await authority(context, flags.ca);
  const file = await readSettingsFile(path);
  const proxy = readProxy(decodeSettings(file).settings, file.path, env);
  const results = await checkHosts(hosts, proxy, { ca });
  const connected = isConnected(results);
  const shown = { editor: editor.name, settings: file.path, proxy: maskedProxy(proxy.url) };
  const withAdvice = results.map(({ remedy: name, ...rest }) => ({
    ...rest,
    ...(name && { symptom: name, remedy: remedies[name] }),
  }));
  const result = { ...shown, connected, hosts: withAdvice, warnings: proxy.warnings };
  const title = `${editor.title}, proxy ${shown.proxy}\n\n`;
  printResult(context, flags.json, result, title + checkTable(results, paintFor(stdout, env)));
  if (!connected) context.setExitCode(notConnected);
}

function checkedHost(host: string): string {
  if (isHostName(host)) return host;
  throw new LandfallError('USAGE', `--host ${host} is not a host name`, {
    hint: 'Use a host name without a scheme and a path, such as api2.cursor.sh',
  });
}

async function authority(
  { env, cwd }: EditorContext,
  given: string | undefined,
): Promise<string | undefined> {
  const path = given ?? (env.REQUESTS_CA_BUNDLE || undefined);
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw fileErrorOf(error, path);
    throw new LandfallError('FILE_MISSING', `${path} does not exist`, {
      hint: 'Check --ca or REQUESTS_CA_BUNDLE.',
      cause: error,
    });
  }
}

/** Prints a result as JSON, or its warnings to stderr and its text to stdout. */
function printResult(
  { stdout, stderr, env }: EditorContext,
  json: boolean | undefined,
  result: { readonly warnings: ReadonlyArray<{ readonly text: string }> },
  text: string,
): void {
  if (json) {
    stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  const paint = paintFor(stderr, env);
  for (const { text: warning } of result.warnings) {
    stderr.write(`${paint('yellow', 'warning:')} ${warning}\n`);
  }
  stdout.write(`${text}\n`);
}
