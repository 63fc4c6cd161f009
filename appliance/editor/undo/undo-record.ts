import { createHash } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { replaceFile } from '#files/replace-file.ts';
import { fileErrorOf, isMissing } from '../file-errors.ts';

const change = z.strictObject({
  key: z.string(),
  /** JSON text of the previous value; null if the key was missing. */
  before: z.string().nullable(),
  /** JSON text that was written. */
  after: z.string(),
});

const schema = z.strictObject({
  version: z.literal(1),
  settings: z.string(),
  /** Permission bits of the previous file; null if it was missing. */
  mode: z.number().nullable(),
  /** SHA-256 of the settings after the last change. */
  after: z.string(),
  /** SHA-256 of the backup. */
  backup: z.string(),
  /** Whether the backup is the file before the first change: no person has edited it between. */
  exact: z.boolean(),
  changes: z.array(change),
});

/** One setting that was changed. */
export type Change = z.infer<typeof change>;
/** How to undo the changes of one settings file. */
export type UndoRecord = z.infer<typeof schema>;

/** Returns the SHA-256 of bytes in hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the path of the backup of a settings file. */
export function backupPath(folder: string, settings: string): string {
  return `${baseOf(folder, settings)}.backup`;
}

/**
 * Reads the record of a settings file; undefined without one.
 * @throws LandfallError STATE_INVALID for a damaged record, FILE_ACCESS
 */
export async function readRecord(
  folder: string,
  settings: string,
): Promise<UndoRecord | undefined> {
  const path = recordPath(folder, settings);
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) {
      throw fileErrorOf(error, path);
    }
    throw new LandfallError('STATE_INVALID', `the undo record ${path} is damaged`, {
      hint: `Restore the settings from ${backupPath(folder, settings)}, then delete the record.`,
      cause: error,
    });
  }
}

/** Returns the bytes of the backup, if it is the one of the record. */
export async function readBackup(folder: string, record: UndoRecord): Promise<Buffer | undefined> {
  const bytes = await readFile(backupPath(folder, record.settings)).catch(() => undefined);
  return bytes && hashOf(bytes) === record.backup ? bytes : undefined;
}

/** Writes a backup and its record. Both can contain a password. */
export async function writeRecord(
  folder: string,
  record: UndoRecord,
  backup: Uint8Array,
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(backupPath(folder, record.settings), backup, { mode: 0o600 });
    const text = `${JSON.stringify(record, null, 2)}\n`;
    await replaceFile(recordPath(folder, record.settings), text, { mode: 0o600 });
  } catch (error) {
    throw fileErrorOf(error, folder);
  }
}

/** Deletes the record and the backup of a settings file. */
export async function deleteRecord(folder: string, settings: string): Promise<void> {
  await rm(recordPath(folder, settings), { force: true });
  await rm(backupPath(folder, settings), { force: true });
}

function recordPath(folder: string, settings: string): string {
  return `${baseOf(folder, settings)}.json`;
}

function baseOf(folder: string, settings: string): string {
  return join(folder, hashOf(Buffer.from(settings)).slice(0, 16));
}
