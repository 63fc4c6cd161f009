import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Opens the database of the data volume. As in the original, writes stay in `webui.db-wal` until
 * SQLite merges them: a copy of `webui.db` alone loses them.
 */
export function openDatabase(data: string): DatabaseSync {
  mkdirSync(data, { recursive: true });
  const database = new DatabaseSync(join(data, 'webui.db'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
    CREATE TABLE IF NOT EXISTS user (id TEXT PRIMARY KEY, email TEXT UNIQUE, value TEXT);
    CREATE TABLE IF NOT EXISTS model (id TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE IF NOT EXISTS chat (id TEXT PRIMARY KEY, user_id TEXT, value TEXT);`);
  return database;
}
