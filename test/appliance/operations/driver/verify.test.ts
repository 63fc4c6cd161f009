import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { checkOldData } from '../../../../appliance/operations/driver/verify.ts';
import { type ChatFacts, readChatFacts } from '../../../../appliance/server/chats/chat-facts.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import type { Handler } from '../../../stand-ins/serve.ts';
import { secretKey, UiRig } from '../../../stand-ins/ui/ui-rig.ts';
import { type Variant, variants } from '../../../stand-ins/ui/variants.ts';
import { portOf } from '../../shared/smoke/closing-servers.ts';
import { insideTarget } from '../../shared/smoke/inside-target.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'landfall-old-'));
});
afterEach(() => rmSync(data, { recursive: true }));

function sql(statements: string, name = 'webui.db'): void {
  using database = new DatabaseSync(join(data, name));
  database.exec(statements);
}

/** Returns the facts of a chat UI with two chats of different age and a document. */
async function filled(): Promise<ChatFacts> {
  const ui = await UiRig.start(data);
  const [admin, eve] = [await ui.signIn(), await ui.addUser('eve')];
  const older = await ui.chat(admin, 'The first.');
  await ui.chat(eve, 'The second.');
  await ui.upload(eve, 'notes.txt', 'A note about herons.');
  sql(`UPDATE chat SET created_at = created_at - 9 WHERE id = '${older}'`);
  return readChatFacts(data);
}

/** A server whose chat UI has no host name but a port. */
function targetAt(ui: number) {
  return insideTarget({ hosts: { relay: 'api.example.com' }, ports: { ui } });
}

/** Checks the data behind a handler. Returns the problems. */
async function problems(handler: Handler, before: ChatFacts, after: ChatFacts, key = secretKey) {
  const target = targetAt(await portOf(handler));
  return await checkOldData(target, key, before, after).then(
    () => [],
    (error: LandfallError) => {
      expect(error).toMatchObject({ name: 'LandfallError', code: 'UPDATE_FAILED' });
      return error.problems.map(({ message }) => message);
    },
  );
}

/** Starts a version on the data, and checks what was there before. */
async function afterUpdate(before: ChatFacts, variant?: Variant): Promise<string[]> {
  const { app } = await UiRig.start(data, variant);
  return await problems(app, before, readChatFacts(data));
}

describe('the check of the data of before an update', () => {
  it.each([
    ['the same version', undefined],
    ['a version with the same schema', variants['same-schema']],
    ['a version that migrates', variants.next],
  ])('accepts %s', async (_kind, variant) => {
    const before = await filled();
    expect(await afterUpdate(before, variant)).toEqual([]);
  });

  it('accepts an empty chat UI', async () => {
    await UiRig.start(data);
    const before = readChatFacts(data);
    expect(before).toMatchObject({ users: 1, chats: 0, oldest: null, document: null });
    expect(await afterUpdate(before, variants.next)).toEqual([]);
  });

  it('names a chat that a migration loses', async () => {
    const before = await filled();
    // The stand-in deletes the row that was written first.
    expect(await afterUpdate(before, variants['loses-chats'])).toEqual([
      '2 chats before the update, 1 after it',
      'the oldest chat of before the update: status 401 instead of 200',
    ]);
  });

  it('names lost accounts with their chats', async () => {
    const before = await filled();
    sql("DELETE FROM user WHERE name = 'eve'");
    expect(await afterUpdate(before)).toEqual([
      '2 accounts before the update, 1 after it',
      'the newest chat of before the update: status 401 instead of 200',
      'the oldest document of before the update: status 401 instead of 200',
    ]);
  });

  it('names chats with other contents', async () => {
    const before = await filled();
    const { oldest, newest } = before;
    sql(`UPDATE chat SET title = 'New Chat' WHERE id = '${oldest?.id}'`);
    sql(`UPDATE chat SET chat = '{"history":{"messages":{}}}' WHERE id = '${newest?.id}'`);
    expect(await afterUpdate(before)).toEqual([
      'the oldest chat of before the update: it has another title',
      'the newest chat of before the update: it has 0 messages instead of 2',
    ]);
  });

  it('names a document without vectors', async () => {
    const before = await filled();
    sql('DELETE FROM embedding', 'vector_db/chroma.sqlite3');
    expect(await afterUpdate(before)).toEqual([
      'the oldest document of before the update: a question does not find it',
    ]);
  });

  it('names numbers that cannot be read any more', async () => {
    const before = await filled();
    const { app } = await UiRig.start(data);
    const after = { ...readChatFacts(data), users: null };
    expect(await problems(app, before, after)).toEqual([
      '2 accounts before the update, none readable after it',
    ]);
  });

  it('does not compare numbers that were unknown before', async () => {
    const before = { ...(await filled()), users: null, chats: null };
    expect(await afterUpdate(before)).toEqual([]);
  });

  it('signs sessions with the stamps that accounts have after the update', async () => {
    const before = await filled();
    sql("UPDATE auth SET session_stamp = 'another' || id");
    expect(await afterUpdate(before)).toEqual([]);
    sql('UPDATE auth SET session_stamp = NULL');
    expect(await afterUpdate(before)).toEqual([]);
  });

  it('names everything if the secret key has changed', async () => {
    const before = await filled();
    const { app } = await UiRig.start(data);
    const found = await problems(app, before, readChatFacts(data), 'another key');
    expect(found).toEqual(
      ['the oldest chat', 'the newest chat', 'the oldest document'].map(
        (name) => `${name} of before the update: status 401 instead of 200`,
      ),
    );
  });

  it('names no data, whatever the chat UI responds', async () => {
    let respond = () => new Response();
    const target = targetAt(await portOf(() => respond()));
    // Words that no message has.
    const word = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `«${text}»`);
    const fields = { title: word, text: word, other: word, shape: fc.nat(6) };
    await fc.assert(
      fc.asyncProperty(fc.record(fields), async ({ title, text, other, shape }) => {
        const bodies = [
          () => new Response(text + title),
          () => new Response(title, { status: 500 }),
          () => Response.json({ detail: text }, { status: 403 }),
          () => Response.json({ title: other, chat: { title, content: text } }),
          () => Response.json({ title, chat: { history: { messages: { [text]: title } } } }),
          () => Response.json({ [title]: text, title: { [text]: title } }),
          () => Response.json({ documents: [title, [text]] }),
        ];
        respond = bodies[shape] ?? respond;
        const owner = { id: 'eve', stamp: null };
        const chat = { id: '1', owner, title: sha256Hex(title), messages: 2 };
        const all = {
          revision: null,
          administrator: null,
          users: 2,
          chats: 2,
          oldest: chat,
          newest: chat,
        };
        const before = { ...all, document: { id: '2', owner, text } };
        const error = await checkOldData(target, 'key', before, before).catch((cause) => cause);
        expect(error).toBeInstanceOf(LandfallError);
        const printed = JSON.stringify([error.message, error.hint, error.problems]);
        for (const secret of [title, text, other]) {
          expect(printed).not.toContain(JSON.stringify(secret).slice(1, -1));
        }
      }),
      { numRuns: fuzzRuns(60) },
    );
  });
});
