import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { timestamp } from './database.ts';
import { SignInLimit } from './sign-in-limit.ts';
import type { Claims } from './tokens.ts';

/** A row of the table `user`. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly created_at: number;
}

/** An account with its credentials (Open WebUI 0.12, models/users.py and models/auths.py). */
export interface User extends UserRow {
  readonly password: string;
  readonly session_stamp: string | null;
}

const account = 'SELECT user.*, password, session_stamp FROM user JOIN auth USING (id)';
/** Accounts on one page of the list (routers/users.py). */
const pageSize = 30;

/** The accounts, in the data volume: they survive the container. */
export class Users {
  readonly signIns = new SignInLimit();
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS n FROM user').get()?.n);
  }

  add(email: string, password: string, name: string, role: string): User {
    const id = randomUUID();
    const now = timestamp();
    this.#database
      .prepare(
        `INSERT INTO user
          (id, name, email, role, profile_image_url, last_active_at, updated_at, created_at)
          VALUES (?, ?, ?, ?, '/user.png', ?, ?, ?)`,
      )
      .run(id, name, email, role, now, now, now);
    const hash = hashOf(password, randomBytes(16).toString('hex'));
    this.#database
      .prepare(
        'INSERT INTO auth (id, email, password, active, session_stamp) VALUES (?, ?, ?, 1, ?)',
      )
      .run(id, email, hash, randomUUID());
    return this.#get('user.id', id) as User;
  }

  /** Ends the sessions of the account too (models/auths.py, update_user_password_by_id). */
  setPassword(id: string, password: string): void {
    const hash = hashOf(password, randomBytes(16).toString('hex'));
    this.#database
      .prepare('UPDATE auth SET password = ?, session_stamp = ? WHERE id = ?')
      .run(hash, randomUUID(), id);
  }

  remove(id: string): void {
    for (const table of ['auth', 'user']) {
      this.#database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    }
  }

  /** Returns a page of the accounts, the newest first. @param page from 1 */
  list(page: number): UserRow[] {
    return this.#database
      .prepare('SELECT * FROM user ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?')
      .all(pageSize, (page - 1) * pageSize) as unknown as UserRow[];
  }

  byPassword(email: string, password: string): User | undefined {
    const user = this.byEmail(email);
    if (!user) return undefined;
    const [salt = ''] = user.password.split(':');
    const given = Buffer.from(hashOf(password, salt));
    return timingSafeEqual(given, Buffer.from(user.password)) ? user : undefined;
  }

  /** The account that others may not change (models/users.py, get_first_user). */
  get first(): { readonly id: string } | undefined {
    const order = "created_at, role IS NOT 'admin', id";
    return this.#database.prepare(`SELECT id FROM user ORDER BY ${order} LIMIT 1`).get() as
      | { id: string }
      | undefined;
  }

  byId(id: string): User | undefined {
    return this.#get('user.id', id);
  }

  byEmail(email: string): User | undefined {
    return this.#get('user.email', email);
  }

  /** Returns the active account of a session (utils/auth.py, is_valid_token). */
  bySession({ id, typ = 'session', session_stamp = null }: Claims): User | undefined {
    const user = this.#get('user.id', id);
    const isKind = ['session', 'automation', 'subagent'].includes(typ);
    return isKind && user?.session_stamp === session_stamp ? user : undefined;
  }

  #get(column: 'user.id' | 'user.email', value: string): User | undefined {
    const query = `${account} WHERE active AND ${column} = ?`;
    return this.#database.prepare(query).get(value) as User | undefined;
  }
}

/** Returns salt and hash of a password. */
function hashOf(password: string, salt: string): string {
  return `${salt}:${scryptSync(password, salt, 32, { N: 1024 }).toString('hex')}`;
}
