import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';

/** The databases of Open WebUI in its volume. */
const databases = ['webui.db', 'vector_db/chroma.sqlite3'] as const;

const ownerSchema = z.object({
  id: z.string(),
  /** What Open WebUI since 0.12 requires in a session of the account; null without one. */
  stamp: z.string().nullable(),
});

const chatSchema = z.object({
  id: z.string(),
  owner: ownerSchema,
  /** SHA-256 of the title, and the number of messages; null if they are stored elsewhere. */
  title: z.string(),
  messages: z.int().nullable(),
});

/**
 * What the chat UI had before an update, to compare it afterwards. A part is null if the database does not
 * have it, such as that of another version. Contains the text of a document: only for root.
 */
export const chatFactsSchema = z.object({
  /** Version of the database schema. */
  revision: z.string().nullable(),
  users: z.int().nullable(),
  chats: z.int().nullable(),
  /** The oldest account that administrates. */
  administrator: ownerSchema.nullable().default(null),
  oldest: chatSchema.nullable(),
  newest: chatSchema.nullable(),
  /** The oldest document, its owner and the beginning of its text. */
  document: z.object({ id: z.string(), owner: ownerSchema, text: z.string() }).nullable(),
});
export type DataOwner = z.infer<typeof ownerSchema>;
export type ChatFacts = z.infer<typeof chatFactsSchema>;

/**
 * Merges the write-ahead log of each database of a copy into it, so that no log of another state can
 * meet it, and checks the databases.
 * @throws LandfallError STATE_INVALID for a damaged database
 */
export async function mergeDatabases(folder: string): Promise<void> {
  for (const name of databases.filter((each) => existsSync(join(folder, each)))) {
    if (isMerged(join(folder, name))) continue;
    throw new LandfallError('STATE_INVALID', `the database ${name} of the chat UI is damaged`, {
      hint: {
        en: 'Nothing was changed. Make a copy of the volume landfall_ui-data before anything else.',
        zh: '没有更改任何内容。请先备份数据卷 landfall_ui-data。',
      },
    });
  }
}

/**
 * Result codes of SQLite for a damaged file: SQLITE_CORRUPT, SQLITE_NOTADB, and SQLITE_ERROR for a header with
 * an unknown format.
 */
const damaged = [11, 26, 1];

/** Merges the log of a database. Returns false if the database is damaged. */
function isMerged(path: string): boolean {
  try {
    using database = new DatabaseSync(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok';
  } catch (error) {
    // The low byte is the kind of an extended code.
    if (damaged.includes(Number((error as { errcode?: number }).errcode) & 0xff)) return false;
    throw error;
  }
}

/** Removes the logs of merged databases, which a reader may have created again. */
export async function removeLogs(folder: string): Promise<void> {
  for (const name of databases) {
    for (const end of ['-wal', '-shm']) await rm(join(folder, `${name}${end}`), { force: true });
  }
}

/** Chats and documents of accounts that can sign in. A deleted account may leave its files behind. */
const owned = `user_id IN (SELECT id FROM "user" WHERE role IN ('admin', 'user'))`;
/** Earlier versions have a copy of each shared chat in the same table; a migration moves them. */
const notShared = "user_id NOT LIKE 'shared-%'";
/** Maximum size of a chat that is opened, in bytes: chats of earlier versions contain pictures. */
const maxChat = 4 << 20;
/** Characters of a document that are the question which must find it. */
const questionLength = 200;

/** Reads the facts from the data of the chat UI, also while it runs. @param folder absolute path */
export function readChatFacts(folder: string): ChatFacts {
  const path = join(folder, 'webui.db');
  const none = { revision: null, users: null, chats: null, administrator: null };
  if (!existsSync(path)) return { ...none, oldest: null, newest: null, document: null };
  using database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  const get: Get = (query, ...values) => {
    try {
      return database.prepare(query).get(...values);
    } catch {
      // Another version has other tables.
      return undefined;
    }
  };
  const hasMessages = get("SELECT 1 FROM pragma_table_info('chat') WHERE name = 'chat'");
  const first = (order: string) =>
    hasMessages
      ? get(`SELECT id, user_id, title, chat FROM chat
          WHERE ${owned} AND octet_length(chat) < ${maxChat} ORDER BY ${order} LIMIT 1`)
      : get(`SELECT id, user_id, title FROM chat WHERE ${owned} ORDER BY ${order} LIMIT 1`);
  return {
    revision: textOf(get('SELECT version_num AS value FROM alembic_version')?.value),
    users: numberOf(get('SELECT count(*) AS value FROM "user"')?.value),
    chats: numberOf(get(`SELECT count(*) AS value FROM chat WHERE ${notShared}`)?.value),
    administrator: administratorOf(get),
    oldest: chatOf(first('created_at, id'), get),
    newest: chatOf(first('created_at DESC, id DESC'), get),
    document: documentOf(folder, get),
  };
}

type Row = Record<string, unknown> | undefined;
/** Returns the first row of a query; undefined if it has none or the database has no such tables. */
type Get = (query: string, ...values: string[]) => Row;

function ownerOf(row: NonNullable<Row>, get: Get): DataOwner {
  const id = String(row.user_id);
  const stamp = get('SELECT session_stamp AS value FROM auth WHERE id = ?', id)?.value;
  return { id, stamp: textOf(stamp) };
}

function administratorOf(get: Get): DataOwner | null {
  const row = get(
    `SELECT id AS user_id FROM "user" WHERE role = 'admin' ORDER BY created_at LIMIT 1`,
  );
  return row ? ownerOf(row, get) : null;
}

function chatOf(row: Row, get: Get): ChatFacts['oldest'] {
  if (!row) return null;
  return {
    id: String(row.id),
    owner: ownerOf(row, get),
    title: sha256Hex(String(row.title)),
    messages: row.chat === undefined ? null : messagesIn(parsed(row.chat)),
  };
}

const historySchema = z.object({ history: z.object({ messages: z.record(z.string(), z.any()) }) });

/** Returns the number of messages of a chat as Open WebUI stores and returns it; null for another form. */
export function messagesIn(chat: unknown): number | null {
  const found = historySchema.safeParse(chat);
  return found.success ? Object.keys(found.data.history.messages).length : null;
}

/** Returns the oldest document that a question can find. */
function documentOf(folder: string, get: Get): ChatFacts['document'] {
  const start = `substr(json_extract(data, '$.content'), 1, ${questionLength})`;
  const text = `trim(${start}, ' ' || char(9, 10, 13))`;
  get('ATTACH DATABASE ? AS vectors', join(folder, databases[1]));
  const hasCollections = get("SELECT 1 FROM vectors.sqlite_master WHERE name = 'collections'");
  // A document that was not found before the update cannot be found after it.
  const isFound = hasCollections
    ? "EXISTS (SELECT 1 FROM vectors.collections WHERE name = 'file-' || file.id)"
    : 'true';
  const row = get(`SELECT id, user_id, ${text} AS text FROM file
    WHERE ${owned} AND json_extract(data, '$.status') = 'completed' AND ${text} <> '' AND ${isFound}
    ORDER BY created_at, id LIMIT 1`);
  return row ? { id: String(row.id), owner: ownerOf(row, get), text: String(row.text) } : null;
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
