import { randomBytes, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignInLimit } from './sign-in-limit.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly salt: string;
  readonly hash: string;
}

/** The accounts, in a file of the data volume: they survive the container. */
export class Users {
  readonly signIns = new SignInLimit();
  readonly #file: string;
  readonly #users: User[];

  constructor(data: string) {
    this.#file = join(data, 'users.json');
    this.#users = read(this.#file);
  }

  get count(): number {
    return this.#users.length;
  }

  add(email: string, password: string, name: string, role: string): User {
    const salt = randomBytes(16).toString('hex');
    const user = { id: randomUUID(), email, name, role, salt, hash: hashOf(password, salt) };
    this.#users.push(user);
    writeFileSync(`${this.#file}.tmp`, JSON.stringify(this.#users), { mode: 0o600 });
    renameSync(`${this.#file}.tmp`, this.#file);
    return user;
  }

  byPassword(email: string, password: string): User | undefined {
    const user = this.#users.find((each) => each.email === email);
    if (!user) return undefined;
    const given = Buffer.from(hashOf(password, user.salt));
    return timingSafeEqual(given, Buffer.from(user.hash)) ? user : undefined;
  }

  byEmail(email: string): User | undefined {
    return this.#users.find((each) => each.email === email);
  }

  byId(id: string): User | undefined {
    return this.#users.find((each) => each.id === id);
  }
}

function read(file: string): User[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as User[];
  } catch {
    return [];
  }
}

function hashOf(password: string, salt: string): string {
  return scryptSync(password, salt, 32, { N: 1024 }).toString('hex');
}
