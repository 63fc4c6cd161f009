import { createHmac } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secretKey, UiRig } from './ui-rig.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'landfall-ui-'));
});
afterEach(() => rmSync(data, { recursive: true }));

function rows(query: string, folder = data): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'webui.db'), { readOnly: true });
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

/** Signs a token as another program with the secret key of the UI. */
function tokenWith(claims: object, key = secretKey, alg = 'HS256'): string {
  const [head, body] = [{ alg, typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createHmac('sha256', key).update(`${head}.${body}`).digest('base64url');
  return `${head}.${body}.${signature}`;
}

describe('the data of the stand-in for the chat UI', () => {
  it('keeps accounts, chats and files in the tables of the original', async () => {
    const ui = await UiRig.start(data);
    const token = await ui.signIn();
    const chat = await ui.chat(token, 'Say hello.');
    await ui.upload(token, 'notes.txt', 'A note.');
    expect(rows('SELECT version_num FROM alembic_version')).toEqual([
      { version_num: 'landfall_0001' },
    ]);
    const [user] = rows('SELECT id, email, role FROM user');
    expect(user).toMatchObject({ email: 'ops@example.org', role: 'admin' });
    expect(rows('SELECT id, active FROM auth')).toEqual([{ id: user?.id, active: 1 }]);
    const [stored] = rows('SELECT * FROM chat');
    expect(stored).toMatchObject({ id: chat, user_id: user?.id, title: 'Say hello.' });
    expect(JSON.parse(String(stored?.chat))).toMatchObject({ models: ['tiny:1b'] });
    const [file] = rows('SELECT * FROM file');
    expect(file).toMatchObject({ user_id: user?.id, filename: 'notes.txt' });
    expect(JSON.parse(String(file?.data))).toEqual({ status: 'completed', content: 'A note.' });
  });

  it('keeps an upload as a file and finds it after a restart', async () => {
    const before = await UiRig.start(data);
    const file = await before.upload(await before.signIn(), 'notes.txt', 'A note.');
    expect(file.path).toBe(join(data, 'uploads', `${file.id}_notes.txt`));
    expect(readFileSync(file.path, 'utf8')).toBe('A note.');
    const ui = await UiRig.start(data);
    const query = { collection_name: `file-${file.id}`, query: 'What is noted?' };
    const found = await ui.call('/api/v1/retrieval/query/doc', await ui.signIn(), query);
    expect(found.body.documents).toEqual([['A note.']]);
  });

  it('deletes a file with its upload and its vector', async () => {
    const ui = await UiRig.start(data);
    const token = await ui.signIn();
    const { id, path } = await ui.upload(token, 'notes.txt', 'A note.');
    await ui.call(`/api/v1/files/${id}`, token, undefined, 'DELETE');
    expect(() => readFileSync(path)).toThrow('ENOENT');
    expect((await ui.call(`/api/v1/files/${id}`, token)).status).toBe(404);
  });

  it('loses recent writes in a copy of webui.db alone', async () => {
    const ui = await UiRig.start(data);
    await ui.chat(await ui.signIn(), 'Say hello.');
    const copyOf = (...names: string[]) => {
      const copy = mkdtempSync(join(data, 'copy-'));
      for (const name of names) cpSync(join(data, name), join(copy, name));
      return copy;
    };
    const incomplete = copyOf('webui.db');
    expect(() => rows('SELECT * FROM chat', incomplete)).toThrow('no such table');
    const complete = copyOf('webui.db', 'webui.db-wal');
    expect(rows('SELECT title FROM chat', complete)).toEqual([{ title: 'Say hello.' }]);
  });
});

describe('the API of the stand-in for the chat UI', () => {
  it('lists the accounts for administrators, the newest first', async () => {
    const ui = await UiRig.start(data);
    const eve = await ui.addUser('eve');
    const { body } = await ui.call('/api/v1/users/?page=1', await ui.signIn());
    expect(body.total).toBe(2);
    expect(body.users).toMatchObject([
      { name: 'eve', role: 'user', created_at: expect.any(Number) },
      { email: 'ops@example.org', role: 'admin' },
    ]);
    expect(JSON.stringify(body)).not.toContain('password');
    const second = await ui.call('/api/v1/users/?page=2', await ui.signIn());
    expect(second.body).toEqual({ users: [], total: 2 });
    expect((await ui.call('/api/v1/users/?page=1', eve)).status).toBe(401);
  });

  it('returns a chat and a file to their owner and to administrators', async () => {
    const ui = await UiRig.start(data);
    const [eve, admin] = [await ui.addUser('eve'), await ui.signIn()];
    const chat = await ui.chat(eve, 'Say hello.');
    const file = await ui.upload(eve, 'notes.txt', 'A note.');
    const mallory = await ui.addUser('mallory');
    const status = async (path: string, token: string) => (await ui.call(path, token)).status;
    const statuses = (path: string) =>
      Promise.all([eve, admin, mallory].map((token) => status(path, token)));
    expect(await statuses(`/api/v1/chats/${chat}`)).toEqual([200, 200, 401]);
    expect(await statuses(`/api/v1/files/${file.id}`)).toEqual([200, 200, 404]);
    const query = { collection_name: `file-${file.id}`, query: 'What is noted?' };
    const found = await ui.call('/api/v1/retrieval/query/doc', mallory, query);
    expect(found.status).toBe(403);
  });

  it('accepts a signed token with the id and the session stamp of an account', async () => {
    const ui = await UiRig.start(data);
    const [{ id, session_stamp } = {}] = rows('SELECT id, session_stamp FROM auth');
    const now = Math.floor(Date.now() / 1000);
    const status = async (claims: object, ...signed: string[]) =>
      (await ui.call('/api/v1/users/', tokenWith(claims, ...signed))).status;
    expect(await status({ id, session_stamp })).toBe(200);
    expect(await status({ id, session_stamp, exp: now + 60, typ: 'automation' })).toBe(200);
    expect(await status({ id })).toBe(401);
    expect(await status({ id, session_stamp: 'another' })).toBe(401);
    expect(await status({ id, session_stamp, exp: now - 1 })).toBe(401);
    expect(await status({ id, session_stamp, iat: now + 60 })).toBe(401);
    expect(await status({ id, session_stamp, typ: 'refresh' })).toBe(401);
    expect(await status({ id: 'another', session_stamp })).toBe(401);
    expect(await status({ id, session_stamp }, 'another-key')).toBe(401);
    expect(await status({ id, session_stamp }, secretKey, 'none')).toBe(401);
    const session = async (typ: string) =>
      (await ui.call('/api/v1/auths/', tokenWith({ id, session_stamp, typ }))).status;
    expect([await session('session'), await session('automation')]).toEqual([200, 403]);
  });

  it('lets administrators set the password of accounts, except that of the first', async () => {
    const ui = await UiRig.start(data);
    const [admin, eve] = [await ui.signIn(), await ui.addUser('eve')];
    const [first, second] = rows('SELECT id FROM user ORDER BY rowid').map(({ id }) => String(id));
    const update = (id: string | undefined, token: string, password: unknown) =>
      ui.call(`/api/v1/users/${id}/update`, token, { password });
    expect((await update(second, eve, 'My-own-1-word')).status).toBe(401);
    expect((await update('none', admin, 'My-own-1-word')).status).toBe(400);
    expect((await update(second, admin, 12345678)).status).toBe(422);
    for (const simple of ['short1-', 'Abcdefghijklmnop2345', 'Aa1_underscore', 'Aa1 with spaces']) {
      expect((await update(second, admin, simple)).status).toBe(400);
    }
    expect((await update(second, admin, `Aa1-${'x'.repeat(69)}`)).status).toBe(400);
    expect((await update(second, admin, '')).status).toBe(200);
    expect((await ui.call('/api/v1/auths/', eve)).status).toBe(200);
    const changed = await update(second, admin, 'My-own-1-word');
    expect(changed).toMatchObject({ status: 200, body: { id: second, email: 'eve@example.org' } });
    expect(JSON.stringify(changed.body)).not.toMatch(/password|stamp/);
    expect((await ui.call('/api/v1/auths/', eve)).status).toBe(401);
    expect(await ui.signIn({ email: 'eve@example.org', password: 'My-own-1-word' })).toBeDefined();
    const database = new DatabaseSync(join(data, 'webui.db'));
    database.exec("UPDATE user SET role = 'admin', created_at = created_at + 1 WHERE name = 'eve'");
    database.close();
    const other = await ui.signIn({ email: 'eve@example.org', password: 'My-own-1-word' });
    expect((await update(first, other, 'My-own-1-word')).status).toBe(403);
    expect((await update(first, admin, 'My-own-1-word')).status).toBe(200);
  });
});
