import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { timestamp } from './database.ts';
import { form, messages, refusal } from './replies.ts';
import type { User } from './users.ts';

/** Chats on one page of a list (Open WebUI 0.12, routers/chats.py). */
const pageSize = 60;

/** The lists of chats, and what decides in which list a chat is (routers/chats.py, routers/folders.py). */
export class ChatLists {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns undefined for unrelated requests. */
  async answer(request: Request, pathname: string, user: User): Promise<Response | undefined> {
    if (pathname === '/api/v1/folders/') return await this.#folders(request, user);
    const { searchParams } = new URL(request.url);
    const page = Number(searchParams.get('page') ?? 1);
    if (request.method === 'GET') {
      const another = /^\/api\/v1\/chats\/list\/user\/([\w-]+)$/.exec(pathname)?.[1];
      if (another !== undefined) {
        if (user.role !== 'admin') return refusal(401, messages.prohibited);
        return this.#list(another, 'true', page);
      }
      if (pathname === '/api/v1/chats/archived') return this.#list(user.id, 'archived', page);
      if (pathname !== '/api/v1/chats/') return undefined;
      const isTrue = (name: string) => searchParams.get(name) === 'true';
      const folders = isTrue('include_folders') ? '' : 'AND folder_id IS NULL';
      const pinned = isTrue('include_pinned') ? '' : 'AND NOT coalesce(pinned, 0)';
      return this.#list(user.id, `NOT archived ${folders} ${pinned}`, page);
    }
    const [, id, action] =
      /^\/api\/v1\/chats\/([\w-]+)\/(archive|pin|folder)$/.exec(pathname) ?? [];
    if (request.method !== 'POST' || id === undefined) return undefined;
    return await this.#change(request, id, `${action}`, user);
  }

  #list(owner: string, condition: string, page: number): Response {
    const rows = this.#database
      .prepare(
        `SELECT id, title, updated_at, created_at FROM chat WHERE user_id = ? AND ${condition}
          ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`,
      )
      .all(owner, pageSize, (page - 1) * pageSize);
    // The original returns `false` for archived chats too.
    const more = { last_read_at: null, snippet: null, active: false, archived: false };
    return Response.json(rows.map((row) => ({ ...row, ...more })));
  }

  async #change(request: Request, id: string, action: string, user: User): Promise<Response> {
    const { folder_id: folder = null } = action === 'folder' ? await form(request) : {};
    const changes = {
      archive: 'archived = NOT archived',
      pin: 'pinned = NOT pinned',
      folder: 'folder_id = ?',
    } as const;
    const change = changes[action as keyof typeof changes];
    const values = action === 'folder' ? [folder, id, user.id] : [id, user.id];
    const { changes: count } = this.#database
      .prepare(`UPDATE chat SET ${change} WHERE id = ? AND user_id = ?`)
      .run(...values);
    return count === 1 ? Response.json({ id }) : refusal(401, messages.missing);
  }

  async #folders(request: Request, user: User): Promise<Response> {
    if (request.method === 'GET') {
      const rows = this.#database.prepare('SELECT * FROM folder WHERE user_id = ?').all(user.id);
      return Response.json(rows.map((row) => ({ ...row, meta: null, is_expanded: false })));
    }
    const { name = '', parent_id: parent = null } = await form(request);
    const folder = { id: randomUUID(), parent_id: parent, name };
    this.#database
      .prepare('INSERT INTO folder VALUES (?, ?, ?, ?, ?, ?)')
      .run(folder.id, parent, user.id, name, timestamp(), timestamp());
    return Response.json(folder);
  }
}
