import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { LandfallError } from '#contract/errors.ts';
import { type Editor, editors } from './editors.ts';
import { hasLogin } from './proxy.ts';
import {
  changeSettings,
  type EditorSettings,
  readSettings,
  type SettingChange,
  valueIn,
  writeSettings,
} from './settings-file.ts';

/** What `landfall editor configure` writes. */
interface ProxySettings {
  readonly editor: Editor;
  /** URL of the proxy, with its login. */
  readonly proxy: string;
  /** Whether certificates of the proxy are verified. */
  readonly strictSsl: boolean;
}

/** The result of `landfall editor configure`. */
export interface Configured {
  readonly path: string;
  /** Keys with a new value; empty if the settings were already correct. */
  readonly changed: readonly string[];
  /** Null if nothing was changed. */
  readonly backup: string | null;
}

/** Every key that Landfall writes into settings. */
const ownKeys = [
  ...['http.proxy', 'http.proxySupport', 'http.proxyStrictSSL', 'window.titleBarStyle'],
  ...new Set(editors.flatMap(({ ownSettings }) => Object.keys(ownSettings))),
];

/**
 * Merges the settings of a proxy into the settings of an editor. The first run writes a backup for
 * `landfall editor remove` beside them; other runs keep it.
 * @param file path of settings.json, which can be missing
 * @throws LandfallError CONFIG_…, FILE_ACCESS, DISK_FULL; the settings are then unchanged
 */
export async function configureEditor(
  file: string,
  proxySettings: ProxySettings,
): Promise<Configured> {
  const settings = await readSettings(file);
  const { path, bytes, mark, mode: previousMode } = settings;
  const changes = settingsFor(proxySettings, settings).filter(
    ([key, value]) => !isDeepStrictEqual(valueIn(settings, key), value),
  );
  // A password must not be readable by other users, even if the URL was already there.
  const mode = hasLogin(proxySettings.proxy) ? 0o600 : previousMode;
  if (changes.length === 0 && mode === previousMode) return { path, changed: [], backup: null };
  const text = changeSettings(settings, changes);
  const backup = backupOf(path);
  if ((await readSettings(backup)).bytes === undefined) {
    await writeSettings(backup, bytes ?? '', previousMode);
  }
  await writeSettings(path, mark + text, mode);
  return { path, changed: changes.map(([key]) => key), backup };
}

/**
 * Undoes `configureEditor`: the keys that it writes get the values of the backup. Without other edits
 * since, the file is the backup again, byte for byte.
 * @returns the keys that have their previous value again, or are removed
 * @throws LandfallError STATE_INVALID without a backup, CONFIG_…, FILE_ACCESS, DISK_FULL
 */
export async function removeFromEditor(
  file: string,
): Promise<{ readonly path: string; readonly restored: readonly string[] }> {
  const settings = await readSettings(file);
  const { path, bytes, mark } = settings;
  const backup = await readSettings(backupOf(path));
  if (backup.bytes === undefined) {
    throw new LandfallError('STATE_INVALID', `landfall has not configured ${path}`, {
      hint: 'Check --editor or --settings; `landfall editor remove` undoes `landfall editor configure`.',
    });
  }
  const restored = ownKeys.filter(
    (key) => !isDeepStrictEqual(valueIn(settings, key), valueIn(backup, key)),
  );
  const previous = restored.map((key) => [key, valueIn(backup, key)] as const);
  const wasMissing = backup.bytes.length === 0;
  if (bytes !== undefined && isEdited(settings, backup, restored)) {
    const mode = wasMissing ? settings.mode : backup.mode;
    await writeSettings(path, mark + changeSettings(settings, previous), mode);
  } else if (wasMissing) {
    await rm(path, { force: true });
  } else if (bytes !== undefined) {
    await writeSettings(path, backup.bytes, backup.mode);
  }
  await rm(backup.path, { force: true });
  return { path, restored };
}

/** Returns whether settings have other changes than new values of some keys, apart from whitespace. */
function isEdited(
  settings: EditorSettings,
  backup: EditorSettings,
  keys: readonly string[],
): boolean {
  const own = settings.entries.filter(([key]) => keys.includes(key));
  const withoutSpace = (text: string) => text.replace(/\s+/g, '');
  return withoutSpace(changeSettings(backup, own)) !== withoutSpace(settings.text);
}

/** Returns the settings to write, in file order. */
export function settingsFor(
  { editor, proxy, strictSsl }: ProxySettings,
  current: Pick<EditorSettings, 'entries'>,
): SettingChange[] {
  // `override` is the default. With other values, requests of extensions do not use the proxy.
  const hasSupport = valueIn(current, 'http.proxySupport') !== undefined;
  return [
    ['http.proxy', proxy],
    ...(hasSupport ? [['http.proxySupport', 'override'] as const] : []),
    ...(strictSsl ? [] : [['http.proxyStrictSSL', false] as const]),
    ...(editor.kind === 'desktop' ? [['window.titleBarStyle', 'custom'] as const] : []),
    ...Object.entries(editor.ownSettings),
  ];
}

function backupOf(path: string): string {
  return `${path}.landfall-backup`;
}
