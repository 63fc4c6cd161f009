import { isDeepStrictEqual } from 'node:util';
import { LandfallError } from '#contract/errors.ts';
import { lastEntry, type ParsedSettings, parseSettings } from './jsonc/parse-settings.ts';
import { removeKey } from './jsonc/remove-key.ts';
import { setKey } from './jsonc/set-key.ts';
import {
  readSettingsFile,
  removeSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from './settings-file.ts';
import { decodeSettings, encodeSettings } from './settings-text.ts';
import {
  type Change,
  deleteRecord,
  hashOf,
  readBackup,
  readRecord,
  type UndoRecord,
} from './undo/undo-record.ts';

/** The result of `landfall editor remove`. */
interface Removed {
  readonly path: string;
  /** Keys that have their previous value again, or are removed. */
  readonly restored: readonly string[];
  /** Keys that a person has changed since; they stay as they are. */
  readonly kept: readonly string[];
}

/**
 * Undoes `configureEditor`. Restores the exact previous file if it was not edited since; otherwise
 * undoes each key that still has the written value.
 * @throws LandfallError STATE_INVALID without a record, CONFIG_SYNTAX, FILE_ACCESS
 */
export async function removeFromEditor(given: string, folder: string): Promise<Removed> {
  const file = await readSettingsFile(given);
  const record = await readRecord(folder, file.path);
  if (record === undefined) throw nothingToUndo(file.path);
  const result = await undo(file, record, folder);
  await deleteRecord(folder, file.path);
  return { path: file.path, ...result };
}

async function undo(
  file: SettingsFile,
  record: UndoRecord,
  folder: string,
): Promise<Omit<Removed, 'path'>> {
  const keys = record.changes.map(({ key }) => key);
  // The second case is a `configure` that was interrupted before it wrote the settings.
  if (file.bytes === undefined || (record.exact && hashOf(file.bytes) === record.backup)) {
    return { restored: keys, kept: [] };
  }
  const mode = record.mode ?? file.mode;
  const isUntouched = record.exact && hashOf(file.bytes) === record.after;
  const backup = isUntouched ? await readBackup(folder, record) : undefined;
  if (backup !== undefined) {
    if (record.mode === null) await removeSettingsFile(file.path);
    else await writeSettingsFile(file.path, backup, mode);
    return { restored: keys, kept: [] };
  }
  const { settings, hasMark } = decodeSettings(file);
  const { text, kept } = revert(settings, record.changes, file.path);
  // A password that a person has kept stays unreadable for others.
  const isSafe = !kept.includes('http.proxy');
  await writeSettingsFile(file.path, encodeSettings(text, hasMark), isSafe ? mode : file.mode);
  return { restored: keys.filter((key) => !kept.includes(key)), kept };
}

/** Returns the text without the changes, and the keys that have another value than was written. */
function revert(
  settings: ParsedSettings,
  changes: readonly Change[],
  path: string,
): { readonly text: string; readonly kept: readonly string[] } {
  const kept: string[] = [];
  let current = settings;
  for (const { key, before, after } of changes.toReversed()) {
    const entry = lastEntry(current, key);
    const isOurs = entry !== undefined && isDeepStrictEqual(entry.value, JSON.parse(after));
    if (!isOurs) {
      // A key that the user has deleted needs no mention.
      if (entry !== undefined) kept.unshift(key);
      continue;
    }
    const text = before === null ? removeKey(current, key) : setKey(current, key, before);
    current = parseSettings(text, path);
  }
  return { text: current.text, kept };
}

function nothingToUndo(path: string): LandfallError {
  return new LandfallError('STATE_INVALID', `landfall has not configured ${path}`, {
    hint: 'Check --editor or --settings; `landfall editor remove` undoes `landfall editor configure`.',
  });
}
