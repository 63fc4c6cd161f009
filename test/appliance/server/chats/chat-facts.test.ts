import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import {
  chatFactsSchema,
  mergeDatabases,
  readChatFacts,
  removeLogs,
} from '../../../../appliance/server/chats/chat-facts.ts';
import { UiRig } from '../../../stand-ins/ui/ui-rig.ts';
import { variants } from '../../../stand-ins/ui/variants.ts';

const chroma = 'vector_db/chroma.sqlite3';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'landfall-facts-'));
});
afterEach(() => rmSync(data, { recursive: true }));

function sql(statements: string, name = 'webui.db'): void {
  using database = new DatabaseSync(join(data, name));
  database.exec(statements);
}

/** A chat UI with chats of two accounts, the older one of the administrator, and a document. */
async function filled() {
  const ui = await UiRig.start(data);
  const [admin, eve] = [await ui.signIn(), await ui.addUser('eve')];
  const older = await ui.chat(admin, 'The first.');
  const newer = await ui.chat(eve, 'The second.');
  const { id: file } = await ui.upload(eve, 'notes.txt', 'A note about herons.');
  // All within the same second.
  sql(`UPDATE chat SET created_at = created_at - 9 WHERE id = '${older}'`);
  return { ui, admin, eve, older, newer, file };
}

describe('the reader of facts about chats', () => {
  it('finds the oldest and the newest chat, a document, and their owners', async () => {
    const { older, newer, file } = await filled();
    const facts = readChatFacts(data);
    expect(facts).toMatchObject({
      ...{ revision: 'landfall_0001', users: 2, chats: 2 },
      oldest: { id: older, title: sha256Hex('The first.'), messages: 2 },
      newest: { id: newer, title: sha256Hex('The second.'), messages: 2 },
      document: { id: file, text: 'A note about herons.' },
      administrator: facts.oldest?.owner,
    });
    expect(facts.newest?.owner).toEqual(facts.document?.owner);
    expect(facts.newest?.owner).not.toEqual(facts.oldest?.owner);
    expect(facts.oldest?.owner.stamp).toMatch(/^[\w-]{36}$/);
    expect(chatFactsSchema.parse(JSON.parse(JSON.stringify(facts)))).toEqual(facts);
  });

  it('returns no text of chats', async () => {
    await filled();
    expect(JSON.stringify(readChatFacts(data))).not.toMatch(/The (?:first|second)/);
  });

  it('returns null without data', () => {
    const none = { revision: null, users: null, chats: null };
    const all = { ...none, administrator: null, oldest: null, newest: null, document: null };
    expect(readChatFacts(data)).toEqual(all);
    expect(readChatFacts(join(data, 'missing'))).toEqual(all);
  });

  it.each([
    ['without tables', 'PRAGMA user_version = 1'],
    ['with other columns', 'CREATE TABLE chat (text); CREATE TABLE file (text)'],
    [
      'with text that is not JSON',
      "CREATE TABLE file (id, user_id, data); INSERT INTO file VALUES (1, 1, 'x')",
    ],
  ])('returns null for a database %s', (_kind, statements) => {
    sql(statements);
    const parts = { revision: null, oldest: null, newest: null, document: null };
    expect(readChatFacts(data)).toMatchObject(parts);
  });

  it('counts chats whose messages another version keeps elsewhere', async () => {
    const { older, newer } = await filled();
    await UiRig.start(data, variants.next);
    expect(readChatFacts(data)).toMatchObject({
      ...{ revision: 'landfall_0002', chats: 2 },
      oldest: { id: older, messages: null },
      newest: { id: newer, messages: null },
    });
  });

  it('leaves out the messages of a chat of another form', async () => {
    await filled();
    sql(`UPDATE chat SET chat = '{"messages":[]}'`);
    expect(readChatFacts(data)).toMatchObject({ oldest: { messages: null } });
  });

  it('leaves out copies of shared chats, which migrations of Open WebUI move', async () => {
    const { older } = await filled();
    sql(
      `INSERT INTO chat (id, user_id, created_at, chat) VALUES ('1', 'shared-${older}', 1, '{}')`,
    );
    expect(readChatFacts(data)).toMatchObject({ chats: 2, oldest: { id: older } });
  });

  it('finds chats and documents of accounts that can sign in', async () => {
    const { older, ui, admin, file } = await filled();
    const own = await ui.upload(admin, 'own.txt', 'My own note.');
    sql(`UPDATE file SET created_at = 1 WHERE id = '${file}'`);
    expect(readChatFacts(data)).toMatchObject({ document: { id: file } });
    sql("UPDATE user SET role = 'pending' WHERE name = 'eve'");
    expect(readChatFacts(data)).toMatchObject({ newest: { id: older }, document: { id: own.id } });
    sql("DELETE FROM user WHERE name = 'eve'");
    expect(readChatFacts(data)).toMatchObject({ newest: { id: older }, document: { id: own.id } });
  });

  it('finds no chat that is too large to open', async () => {
    const { older, newer } = await filled();
    sql(`UPDATE chat SET chat = printf('"%.*c"', 5000000, 'x') WHERE id = '${older}'`);
    expect(readChatFacts(data)).toMatchObject({ chats: 2, oldest: { id: newer } });
    sql(`DELETE FROM chat WHERE id = '${newer}'`);
    expect(readChatFacts(data)).toMatchObject({ chats: 1, oldest: null, newest: null });
  });

  it('finds a document that has vectors', async () => {
    const { ui, eve, file } = await filled();
    const other = await ui.upload(eve, 'other.txt', 'Another note.');
    sql(`UPDATE file SET created_at = 1 WHERE id = '${file}'`);
    // The table of Chroma.
    sql(
      `CREATE TABLE collections (name); INSERT INTO collections VALUES ('file-${other.id}')`,
      chroma,
    );
    expect(readChatFacts(data)).toMatchObject({ document: { id: other.id } });
    sql('DELETE FROM collections', chroma);
    expect(readChatFacts(data)).toMatchObject({ document: null });
  });

  it('cuts a document after 200 whole characters', async () => {
    const { ui, eve } = await filled();
    sql('DELETE FROM file');
    await ui.upload(eve, 'birds.txt', `\r\n${'a'.repeat(197)}${'🐦'.repeat(9)}`);
    expect(readChatFacts(data).document?.text).toBe(`${'a'.repeat(197)}🐦`);
  });
});

describe('the merge of databases', () => {
  it('moves all writes from the log to the database', async () => {
    await filled();
    await mergeDatabases(data);
    await removeLogs(data);
    for (const end of ['-wal', '-shm'])
      expect(existsSync(join(data, `webui.db${end}`))).toBe(false);
    expect(readChatFacts(data)).toMatchObject({ users: 2, chats: 2 });
  });

  it('rejects a damaged database, and names it without its text', async () => {
    mkdirSync(join(data, 'vector_db'));
    writeFileSync(join(data, chroma), 'a secret '.repeat(999));
    await expect(mergeDatabases(data)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: expect.stringMatching(`^the database ${chroma} of the chat UI is damaged$`),
    });
  });

  it('accepts data without databases', async () => {
    await expect(mergeDatabases(data)).resolves.toBeUndefined();
  });
});
