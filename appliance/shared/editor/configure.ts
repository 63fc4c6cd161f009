import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { LandfallError } from '#contract/errors.ts';
import { replaceFile } from '#files/replace-file.ts';
import { type Editor, editors, type SettingValue } from './editors.ts';
import { fileErrorOf } from './file-access.ts';
import { hasLogin, isHostName } from './proxy.ts';
import { readSettingsFile, writeSettingsFile } from './settings-file.ts';
import {
  changeSettings,
  decodeSettings,
  encodeSettings,
  isListOfTexts,
  type ParsedSettings,
  valueIn,
} from './settings-text.ts';

/** What `landfall editor configure` writes. */
interface ProxySettings {
  readonly editor: Editor;
  /** URL of the proxy, with its login. */
  readonly proxy: string;
  /** Hosts that the editor reaches without the proxy. */
  readonly noProxy: readonly string[];
  /** Whether certificates of the proxy are verified. */
  readonly strictSsl: boolean;
}

/** The result of `landfall editor configure`. */
export interface Configured {
  readonly path: string;
  /** Keys with a new value; empty if the settings were already correct. */
  readonly changed: readonly string[];
  /** Undefined if nothing was changed. */
  readonly backup: string | undefined;
  readonly warnings: readonly ConfigureWarning[];
}

interface ConfigureWarning {
  readonly kind: 'password' | 'no-verification';
  readonly text: string;
}

/** The result of `landfall editor remove`. */
interface Removed {
  readonly path: string;
  /** Keys that have their previous value again, or are removed. */
  readonly restored: readonly string[];
}

/** Every key that Landfall writes into settings. */
const ownKeys = [
  ...['http.proxy', 'http.proxySupport', 'http.noProxy', 'http.proxyStrictSSL'],
  'window.titleBarStyle',
  ...new Set(editors.flatMap(({ ownSettings }) => Object.keys(ownSettings))),
];

/**
 * Merges the settings of a proxy into the settings of an editor. The first run writes a backup for
 * `landfall editor remove`; other runs keep it.
 * @param settingsPath path of settings.json, which can be missing
 * @param folder where backups are
 * @throws LandfallError CONFIG_…, FILE_ACCESS, DISK_FULL; the settings are then unchanged
 */
export async function configureEditor(
  settingsPath: string,
  proxySettings: ProxySettings,
  folder: string,
): Promise<Configured> {
  const file = await readSettingsFile(settingsPath);
  const { path } = file;
  const { settings, hasMark } = decodeSettings(file);
  const changes = settingsFor(proxySettings, settings).filter(
    ([key, value]) => !isDeepStrictEqual(valueIn(settings, key), value),
  );
  const warnings = warningsOf(proxySettings, path);
  // A password must not be readable by other users, even if the URL was already there.
  const mode = hasLogin(proxySettings.proxy) ? 0o600 : file.mode;
  if (changes.length === 0 && mode === file.mode) {
    return { path, changed: [], backup: undefined, warnings };
  }
  const bytes = encodeSettings(changeSettings(settings, changes), hasMark);
  const backup = backupPath(folder, path);
  if ((await readSettingsFile(backup)).bytes === undefined) {
    await writeBackup(folder, backup, file.bytes ?? Buffer.alloc(0), file.mode);
  }
  await writeSettingsFile(path, bytes, mode);
  return { path, changed: changes.map(([key]) => key), backup, warnings };
}

/**
 * Undoes `configureEditor`: the keys that it writes get the values of the backup. Without other edits
 * since, the file is the backup again, byte for byte.
 * @throws LandfallError STATE_INVALID without a backup, CONFIG_SYNTAX, FILE_ACCESS
 */
export async function removeFromEditor(settingsPath: string, folder: string): Promise<Removed> {
  const file = await readSettingsFile(settingsPath);
  const { path, bytes } = file;
  const backup = await readSettingsFile(backupPath(folder, path));
  if (backup.bytes === undefined) throw nothingToUndo(path);
  const { settings: previous } = decodeSettings(backup);
  const { settings, hasMark } = decodeSettings(file);
  const keys = ownKeys.filter(
    (key) => !isDeepStrictEqual(valueIn(settings, key), valueIn(previous, key)),
  );
  if (bytes !== undefined && isEdited(settings, previous, keys)) {
    const restored = changeSettings(
      settings,
      keys.map((key) => [key, valueIn(previous, key)]),
    );
    const mode = backup.bytes.length === 0 ? file.mode : backup.mode;
    await writeSettingsFile(path, encodeSettings(restored, hasMark), mode);
  } else if (backup.bytes.length === 0) {
    await rm(path, { force: true });
  } else if (bytes !== undefined) {
    await writeSettingsFile(path, backup.bytes, backup.mode);
  }
  await rm(backup.path, { force: true });
  return { path, restored: keys };
}

/** Returns whether a text has more changes than other values of some keys, and other whitespace. */
function isEdited(
  settings: ParsedSettings,
  previous: ParsedSettings,
  keys: readonly string[],
): boolean {
  const others = ({ entries }: ParsedSettings) => entries.filter(([key]) => !keys.includes(key));
  if (!isDeepStrictEqual(others(settings), others(previous))) return true;
  const ours = settings.entries.filter(([key]) => keys.includes(key));
  const withoutSpace = (text: string) => text.replace(/\s+/g, '');
  return withoutSpace(changeSettings(previous, ours)) !== withoutSpace(settings.text);
}

/**
 * Returns the settings to write, in file order. Adds hosts to an existing `http.noProxy`.
 * @throws LandfallError USAGE for a host that editors do not match, CONFIG_INVALID
 */
export function settingsFor(
  { editor, proxy, noProxy, strictSsl }: ProxySettings,
  current: ParsedSettings,
): Array<readonly [key: string, value: SettingValue]> {
  for (const host of noProxy) refusePattern(host);
  const exempt = valueIn(current, 'http.noProxy') ?? [];
  if (noProxy.length > 0 && !isListOfTexts(exempt)) {
    throw new LandfallError('CONFIG_INVALID', 'http.noProxy in the settings is not a list', {
      hint: 'Change it to a list of host names in the editor.',
    });
  }
  const list: Array<readonly [string, SettingValue]> = [['http.proxy', proxy]];
  // The default of the editors. Other values leave requests of extensions without the proxy.
  if (valueIn(current, 'http.proxySupport') !== undefined) {
    list.push(['http.proxySupport', 'override']);
  }
  if (noProxy.length > 0 && isListOfTexts(exempt)) {
    list.push(['http.noProxy', [...new Set([...exempt, ...noProxy])]]);
  }
  if (!strictSsl) list.push(['http.proxyStrictSSL', false]);
  if (editor.kind === 'desktop') list.push(['window.titleBarStyle', 'custom']);
  return [...list, ...Object.entries(editor.ownSettings)];
}

/** VS Code compares names and their ends; it has no ranges and no other patterns. */
function refusePattern(host: string): void {
  if (isHostName(host.replace(/^\./, ''))) return;
  throw new LandfallError('USAGE', `--direct ${host} is not a host name`, {
    hint: 'Use a host name, an address or a domain such as .example.com; editors ignore ranges and *.example.com.',
  });
}

function warningsOf({ proxy, strictSsl }: ProxySettings, path: string): ConfigureWarning[] {
  const warnings: ConfigureWarning[] = [];
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

function backupPath(folder: string, settings: string): string {
  const name = createHash('sha256').update(settings).digest('hex').slice(0, 16);
  return join(folder, `${name}.backup`);
}

/** The folder is private, because settings can contain a password. The mode is that of the settings. */
async function writeBackup(
  folder: string,
  path: string,
  bytes: Uint8Array,
  mode = 0o600,
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(path, bytes, { mode });
  } catch (error) {
    throw fileErrorOf(error, folder);
  }
}

function nothingToUndo(path: string): LandfallError {
  return new LandfallError('STATE_INVALID', `landfall has not configured ${path}`, {
    hint: 'Check --editor or --settings; `landfall editor remove` undoes `landfall editor configure`.',
  });
}
