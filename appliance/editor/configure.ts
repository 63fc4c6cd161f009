import { isDeepStrictEqual } from 'node:util';
import { lastEntry, type ParsedSettings, parseSettings } from './jsonc/parse-settings.ts';
import { setKey } from './jsonc/set-key.ts';
import { hasLogin } from './proxy-url.ts';
import { readSettingsFile, type SettingsFile, writeSettingsFile } from './settings-file.ts';
import { decodeSettings, encodeSettings } from './settings-text.ts';
import {
  backupPath,
  type Change,
  hashOf,
  readBackup,
  readRecord,
  type UndoRecord,
  writeRecord,
} from './undo/undo-record.ts';
import { jsonOf, type Settings, type Wanted, wantedSettings } from './wanted-settings.ts';

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

/**
 * Merges the settings of a proxy into the settings of an editor. Writes a backup and a record for
 * `landfall editor remove` first.
 * @param given path of settings.json, which can be missing
 * @param folder where backups are
 * @throws LandfallError CONFIG_…, FILE_ACCESS, DISK_FULL; the settings are then unchanged
 */
export async function configureEditor(
  given: string,
  wanted: Wanted,
  folder: string,
): Promise<Configured> {
  const file = await readSettingsFile(given);
  const { settings, hasMark } = decodeSettings(file);
  const { text, changes } = merge(settings, wantedSettings(wanted, settings), file.path);
  const warnings = warningsOf(wanted, file.path);
  // A password must not be readable by other users, even if the URL was already there.
  const mode = hasLogin(wanted.proxy) ? 0o600 : file.mode;
  if (changes.length === 0 && mode === file.mode) {
    return { path: file.path, changed: [], backup: undefined, warnings };
  }
  const bytes = encodeSettings(text, hasMark);
  const { record, backup } = await recordOf({ file, settings, changes, bytes }, folder);
  await writeRecord(folder, record, backup);
  await writeSettingsFile(file.path, bytes, mode);
  const changed = changes.map(({ key }) => key);
  return { path: file.path, changed, backup: backupPath(folder, file.path), warnings };
}

/** Returns the text with the wanted settings, and the changes in it. */
function merge(
  settings: ParsedSettings,
  wanted: Settings,
  path: string,
): { readonly text: string; readonly changes: readonly Change[] } {
  const changes: Change[] = [];
  let current = settings;
  for (const [key, value] of wanted) {
    const entry = lastEntry(current, key);
    if (entry && isDeepStrictEqual(entry.value, value)) continue;
    const before = entry ? current.text.slice(entry.valueStart, entry.end) : null;
    changes.push({ key, before, after: jsonOf(value) });
    current = parseSettings(setKey(current, key, jsonOf(value)), path);
  }
  return { text: current.text, changes };
}

interface Step {
  readonly file: SettingsFile;
  readonly settings: ParsedSettings;
  readonly changes: readonly Change[];
  readonly bytes: Buffer;
}

/** Returns the record after a step. It still undoes the steps before. */
async function recordOf({ file, settings, changes, bytes }: Step, folder: string) {
  const now = file.bytes ?? Buffer.alloc(0);
  const old = await readRecord(folder, file.path);
  const oldBackup = old && old.after === hashOf(now) ? await readBackup(folder, old) : undefined;
  const earlier = (old?.changes ?? []).filter(({ key, after }) =>
    isDeepStrictEqual(lastEntry(settings, key)?.value, JSON.parse(after)),
  );
  const again = changes.map((change) => {
    const first = earlier.find(({ key }) => key === change.key);
    return first ? { ...change, before: first.before } : change;
  });
  const untouched = earlier.filter(({ key }) => !changes.some((each) => each.key === key));
  const backup = oldBackup ?? now;
  const record: UndoRecord = {
    version: 1,
    settings: file.path,
    mode: old ? old.mode : (file.mode ?? null),
    after: hashOf(bytes),
    backup: hashOf(backup),
    exact: old === undefined || (oldBackup !== undefined && old.exact),
    changes: [...untouched, ...again],
  };
  return { record, backup };
}

function warningsOf({ proxy, strictSsl }: Wanted, path: string): ConfigureWarning[] {
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
