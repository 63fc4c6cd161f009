import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { SignInLimit } from './sign-in-limit.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly salt: string;
  readonly hash: string;
}

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
    const salt = randomBytes(16).toString('hex');
    const user = { id: randomUUID(), email, name, role, salt, hash: hashOf(password, salt) };
    this.#database
      .prepare('INSERT INTO user VALUES (?, ?, ?)')
      .run(user.id, email, JSON.stringify(user));
    return user;
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM user WHERE id = ?').run(id);
  }

  byPassword(email: string, password: string): User | undefined {
    const user = this.byEmail(email);
    if (!user) return undefined;
    const given = Buffer.from(hashOf(password, user.salt));
    return timingSafeEqual(given, Buffer.from(user.hash)) ? user : undefined;
  }

  byEmail(email: string): User | undefined {
    return readUser(this.#database.prepare('SELECT value FROM user WHERE email = ?').get(email));
  }

  byId(id: string): User | undefined {
    return readUser(this.#database.prepare('SELECT value FROM user WHERE id = ?').get(id));
  }
}

function readUser(row: Record<string, unknown> | undefined): User | undefined {
  return row && (JSON.parse(String(row.value)) as User);
}

function hashOf(password: string, salt: string): string {
  return scryptSync(password, salt, 32, { N: 1024 }).toString('hex');
}
