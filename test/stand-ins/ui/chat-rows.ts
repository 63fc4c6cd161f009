import type { DatabaseSync } from 'node:sqlite';
import { timestamp } from './database.ts';
import type { Revision } from './variants.ts';

/** A message in the column `chat` (Open WebUI 0.12, models/chats.py). */
export interface Message {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly parentId?: string | null;
  readonly childrenIds?: readonly string[];
  readonly done?: boolean;
  readonly error?: { readonly content: string };
  readonly followUps?: readonly string[];
  readonly usage?: { readonly prompt_tokens?: number };
}

/** The content of the column `chat`. */
export interface ChatContent {
  readonly title: string;
  readonly models: readonly string[];
  readonly tags: readonly string[];
  readonly history: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly currentId: string;
  };
}

/** A chat as the API returns it. */
export interface Chat {
  readonly id: string;
  readonly user_id: string;
  readonly title: string;
  readonly chat: ChatContent;
  readonly created_at: number;
  readonly updated_at: number;
  readonly share_id: string | null;
  readonly archived: boolean;
  readonly pinned: boolean;
  readonly meta: object;
  readonly folder_id: string | null;
  readonly current_message_id: string | null;
}

/** Where each revision of the database keeps the content. */
const statements = {
  landfall_0001: {
    read: 'SELECT * FROM chat WHERE id = ?',
    write: 'UPDATE chat SET chat = ? WHERE id = ?',
  },
  landfall_0002: {
    read: 'SELECT * FROM chat JOIN chat_content ON chat_id = id WHERE id = ?',
    write: 'INSERT OR REPLACE INTO chat_content (chat, chat_id) VALUES (?, ?)',
  },
} as const satisfies Readonly<Record<Revision, object>>;

/** The rows of chats in the data volume. */
export class ChatRows {
  readonly #database: DatabaseSync;
  readonly #revision: Revision;

  constructor(database: DatabaseSync, revision: Revision) {
    this.#database = database;
    this.#revision = revision;
  }

  /** @throws Error when a migration has moved the content away */
  read(id: string): Chat | undefined {
    const row = this.#database.prepare(statements[this.#revision].read).get(id);
    if (!row) return undefined;
    if (typeof row.chat !== 'string') throw new Error(`chat ${id} has no content`);
    const { title, user_id, created_at, updated_at, share_id, folder_id } = row as unknown as Chat;
    const chat = JSON.parse(row.chat) as ChatContent;
    return {
      ...{ id, user_id, title, chat, created_at, updated_at, share_id, folder_id },
      ...{ archived: row.archived === 1, pinned: row.pinned === 1 },
      meta: JSON.parse(String(row.meta)),
      current_message_id: chat.history.currentId,
    };
  }

  save(id: string, owner: string, chat: ChatContent): void {
    const now = timestamp();
    this.#database
      .prepare(
        `INSERT INTO chat (id, user_id, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET title = excluded.title, updated_at = excluded.updated_at`,
      )
      .run(id, owner, chat.title, now, now);
    this.#database.prepare(statements[this.#revision].write).run(JSON.stringify(chat), id);
  }

  remove(id: string, owner: string): void {
    this.#database.prepare('DELETE FROM chat WHERE id = ? AND user_id = ?').run(id, owner);
  }
}
