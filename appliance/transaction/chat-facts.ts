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
    using database = new DatabaseSync(join(folder, name));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (verdict === 'ok') continue;
    throw new LandfallError('STATE_INVALID', `the database ${name} of the chat UI is damaged`, {
      hint: 'Nothing was changed. Make a copy of the volume landfall_ui-data before anything else.',
    });
  }
}

/** Removes the logs of merged databases, which a reader may have created again. */
export async function removeLogs(folder: string): Promise<void> {
  for (const name of databases) {
    for (const end of ['-wal', '-shm']) await rm(join(folder, `${name}${end}`), { force: true });
  }
}

/** Reads the facts from the data of the chat UI, also while it runs. @param folder absolute path */
export function readChatFacts(folder: string): ChatFacts {
  const path = join(folder, 'webui.db');
  const none = { revision: null, users: null, chats: null, oldest: null, newest: null };
  if (!existsSync(path)) return { ...none, document: null };
  using database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  const get = (query: string, ...values: string[]) => {
    try {
      return database.prepare(query).get(...values);
    } catch {
      // Another version has other tables.
      return undefined;
    }
  };
  const first = (order: string) =>
    get(`SELECT id, user_id, title, chat FROM chat ORDER BY ${order} LIMIT 1`) ??
    get(`SELECT id, user_id, title FROM chat ORDER BY ${order} LIMIT 1`);
  const ownerOf = (row: Row): DataOwner => {
    const id = String(row?.user_id);
    const stamp = get('SELECT session_stamp AS value FROM auth WHERE id = ?', id)?.value;
    return { id, stamp: textOf(stamp) };
  };
  return {
    revision: textOf(get('SELECT version_num AS value FROM alembic_version')?.value),
    users: numberOf(get('SELECT count(*) AS value FROM "user"')?.value),
    chats: numberOf(get('SELECT count(*) AS value FROM chat')?.value),
    oldest: chatOf(first('created_at'), ownerOf),
    newest: chatOf(first('created_at DESC'), ownerOf),
    document: documentOf(
      get(`SELECT id, user_id, data FROM file
        WHERE json_extract(data, '$.status') = 'completed' AND json_extract(data, '$.content') <> ''
        ORDER BY created_at LIMIT 1`),
      ownerOf,
    ),
  };
}

type Row = Record<string, unknown> | undefined;
type OwnerOf = (row: Row) => DataOwner;

function chatOf(row: Row, ownerOf: OwnerOf): ChatFacts['oldest'] {
  if (!row) return null;
  return {
    id: String(row.id),
    owner: ownerOf(row),
    title: sha256Hex(Buffer.from(String(row.title))),
    messages: row.chat === undefined ? null : messagesIn(parsed(row.chat)),
  };
}

const historySchema = z.object({ history: z.object({ messages: z.record(z.string(), z.any()) }) });

/** Returns the number of messages of a chat as Open WebUI stores and returns it. */
export function messagesIn(chat: unknown): number {
  const found = historySchema.safeParse(chat);
  return found.success ? Object.keys(found.data.history.messages).length : 0;
}

/** Characters of a document that are the question which must find it. */
const questionLength = 200;

function documentOf(row: Row, ownerOf: OwnerOf): ChatFacts['document'] {
  const data = z.object({ content: z.string() }).safeParse(parsed(row?.data));
  if (!row || !data.success) return null;
  const text = data.data.content.trim().slice(0, questionLength);
  return text === '' ? null : { id: String(row.id), owner: ownerOf(row), text };
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
