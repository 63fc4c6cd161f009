import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate, revisionOf } from './migrations.ts';
import { normalVariant, type Variant } from './variants.ts';

/**
 * Opens the database of the data volume and migrates it. As in the original, writes stay in
 * `webui.db-wal` until SQLite merges them: a copy of `webui.db` alone loses them.
 * @throws Error when a newer program has migrated the data, which are unchanged then
 */
export function openDatabase(data: string, variant: Variant = normalVariant): DatabaseSync {
  mkdirSync(data, { recursive: true });
  const path = join(data, 'webui.db');
  if (existsSync(path)) checkRevision(path, variant);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  migrate(database, variant);
  return database;
}

/** Reads only, because closing a writable database merges `webui.db-wal`. */
function checkRevision(path: string, variant: Variant): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    revisionOf(database, variant);
  } finally {
    database.close();
  }
}

/** Returns a time as the original stores it: seconds since 1970. */
export function timestamp(): number {
  return Math.floor(Date.now() / 1000);
}
