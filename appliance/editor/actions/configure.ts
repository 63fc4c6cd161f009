import { type Configured, configureEditor } from '../configure.ts';
import type { EditorContext } from '../context.ts';
import type { Editor } from '../editors.ts';
import { maskedProxy } from '../proxy-url.ts';
import { stateFolder } from '../settings-path.ts';
import { chooseSettings, type SettingsFlags } from './choose-settings.ts';
import { printResult } from './print.ts';
import { type ProxyFlags, proxyOf } from './proxy-of.ts';

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
  const wanted = { editor, proxy, noProxy, strictSsl };
  const result = await configureEditor(path, wanted, stateFolder(context));
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
