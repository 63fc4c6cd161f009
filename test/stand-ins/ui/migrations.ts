import type { DatabaseSync } from 'node:sqlite';
import { type Revision, revisions, type Variant } from './variants.ts';

/** The tables of Open WebUI 0.12.4 that the stand-in uses, and the most important of their columns. */
const tables = `
  CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
  CREATE TABLE user (
    id VARCHAR NOT NULL PRIMARY KEY, name VARCHAR NOT NULL, email VARCHAR UNIQUE,
    username VARCHAR(50), role VARCHAR, profile_image_url TEXT, settings JSON, info JSON,
    last_active_at BIGINT, updated_at BIGINT, created_at BIGINT);
  CREATE TABLE auth (
    id VARCHAR NOT NULL PRIMARY KEY, email VARCHAR, password TEXT, active BOOLEAN, mfa JSON,
    session_stamp TEXT);
  CREATE TABLE chat (
    id VARCHAR NOT NULL PRIMARY KEY, user_id VARCHAR, title TEXT, chat JSON,
    created_at BIGINT, updated_at BIGINT, share_id TEXT UNIQUE, archived BOOLEAN DEFAULT 0,
    pinned BOOLEAN DEFAULT 0, meta JSON DEFAULT '{}', folder_id TEXT);
  CREATE TABLE file (
    id VARCHAR NOT NULL PRIMARY KEY, user_id VARCHAR, hash TEXT, filename TEXT, path TEXT,
    data JSON, meta JSON, created_at BIGINT, updated_at BIGINT);
  CREATE TABLE folder (
    id TEXT NOT NULL PRIMARY KEY, parent_id TEXT, user_id TEXT, name TEXT,
    created_at BIGINT, updated_at BIGINT);
  CREATE TABLE model (id TEXT NOT NULL PRIMARY KEY, value TEXT);
  INSERT INTO alembic_version VALUES ('landfall_0001');
`;

/** Where revision landfall_0002 keeps the messages of chats. */
const chatContent = `CREATE TABLE chat_content (
  chat_id VARCHAR NOT NULL PRIMARY KEY REFERENCES chat (id) ON DELETE CASCADE, chat JSON)`;

/**
 * Returns the revision of a database; undefined for an empty one.
 * @throws Error with alembic's message when this program does not have the revision
 */
export function revisionOf(database: DatabaseSync, variant: Variant): Revision | undefined {
  const exists = database
    .prepare("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'")
    .get();
  if (!exists) return undefined;
  const found = database.prepare('SELECT version_num FROM alembic_version').get()?.version_num;
  const known = revisions.slice(0, revisions.indexOf(variant.revision) + 1);
  const revision = known.find((each) => each === found);
  if (revision) return revision;
  throw new Error(`Can't locate revision identified by '${found}'`);
}

/**
 * Brings a database to the revision of a program.
 * @throws Error when the variant fails half-way
 */
export function migrate(database: DatabaseSync, variant: Variant): void {
  const revision = revisionOf(database, variant);
  if (revision === undefined) inTransaction(database, tables);
  if (variant.revision === 'landfall_0001' || revision === 'landfall_0002') return;
  if (variant.fault === 'fails-half-way') {
    inTransaction(database, firstHalf);
    throw new Error('the migration failed: disk I/O error');
  }
  inTransaction(database, moveContent);
  if (variant.fault === 'loses-chats') database.exec(`DELETE FROM chat WHERE id IN (${oldest} 1)`);
}

const oldest = 'SELECT id FROM chat ORDER BY created_at, rowid LIMIT';

const moveContent = `
  ${chatContent};
  INSERT INTO chat_content SELECT id, chat FROM chat;
  ALTER TABLE chat DROP COLUMN chat;
  UPDATE alembic_version SET version_num = 'landfall_0002';
`;

/** The revision stays: the next start fails too, because the table exists. */
const firstHalf = `
  ${chatContent};
  INSERT INTO chat_content SELECT id, chat FROM chat
    WHERE id IN (${oldest} (SELECT (count(*) + 1) / 2 FROM chat));
  UPDATE chat SET chat = NULL WHERE id IN (SELECT chat_id FROM chat_content);
`;

function inTransaction(database: DatabaseSync, statements: string): void {
  database.exec(`BEGIN; ${statements}; COMMIT`);
}
