import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAccounts } from '../../../../../appliance/server/chats/accounts.ts';
import {
  type ExportJob,
  type ExportSummary,
  exportChats,
} from '../../../../../appliance/server/chats/export/export-chats.ts';
import type { Handler } from '../../../../stand-ins/serve.ts';
import { secretKey, UiRig } from '../../../../stand-ins/ui/ui-rig.ts';
import { portOf } from '../../../shared/smoke/closing-servers.ts';

let above: string;
let data: string;
let path: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'landfall-export-'));
  [data, path] = [join(above, 'data'), join(above, 'out')];
});
afterEach(() => rmSync(above, { recursive: true }));

function sql(statements: string): void {
  using database = new DatabaseSync(join(data, 'webui.db'));
  database.exec(statements);
}

const silent = { onChats: () => {}, onChat: () => {}, end: () => {} };

/** Exports the chats behind a handler. */
async function exported(handler: Handler, more: Partial<ExportJob> = {}): Promise<ExportSummary> {
  return await exportChats(path, {
    ...{ base: `http://127.0.0.1:${await portOf(handler)}`, secret: secretKey },
    ...{ accounts: readAccounts(data).accounts, site: '{"language":"en"}\n', start: () => silent },
    ...more,
  });
}

/** Returns the names of the files in the exported folder. */
function names(): string[] {
  const all = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return all.filter((name) => statSync(join(path, name)).isFile());
}

/** Returns {@link names}, sorted, without days and the IDs of chats. */
function files(): string[] {
  const name = /\d{4}-\d\d-\d\d-(.*)-[0-9a-f]{8}\./;
  return names()
    .map((each) => each.replace(name, 'DAY-$1-ID.'))
    .sort();
}

/** Returns the text of the only file whose name matches. */
function textOf(pattern: RegExp): string {
  const found = names().filter((name) => pattern.test(name));
  expect(found).toHaveLength(1);
  return readFileSync(join(path, `${found[0]}`), 'utf8');
}

describe('the export of chats', () => {
  it('writes the chats and documents of every account, from every list', async () => {
    const ui = await UiRig.start(data);
    const [admin, eve, pat] = [await ui.signIn(), await ui.addUser('eve'), await ui.addUser('pat')];
    await ui.chat(admin, 'Of the administrator.');
    await ui.chat(eve, 'Herons?');
    const changes = { pin: 'Pinned.', archive: 'Archived.' };
    for (const [action, title] of Object.entries(changes)) {
      await ui.call(`/api/v1/chats/${await ui.chat(eve, title)}/${action}`, eve, {});
    }
    const { id: birds } = (await ui.call('/api/v1/folders/', eve, { name: 'Birds' })).body;
    const inner = { name: 'Small', parent_id: birds };
    const { id: small } = (await ui.call('/api/v1/folders/', eve, inner)).body;
    const filed = await ui.chat(eve, 'In a folder.');
    await ui.call(`/api/v1/chats/${filed}/folder`, eve, { folder_id: small });
    for (const text of ['A note.', 'Another note.']) await ui.upload(eve, 'notes.txt', text);
    await ui.chat(pat, 'Of one who waits.');
    await ui.upload(pat, 'pat.txt', 'Of Pat.');
    sql("UPDATE user SET role = 'pending' WHERE name = 'pat'");
    const summary = await exported(ui.app);
    const both = (name: string) => [`${name}.json`, `${name}.md`];
    expect(files()).toEqual([
      'README.txt',
      ...both('eve@example.org/chats/DAY-Archived-ID'),
      ...both('eve@example.org/chats/DAY-Herons-ID'),
      ...both('eve@example.org/chats/DAY-In a folder-ID'),
      ...both('eve@example.org/chats/DAY-Pinned-ID'),
      'eve@example.org/documents/notes-2.txt',
      'eve@example.org/documents/notes.txt',
      ...both('ops@example.org/chats/DAY-Of the administrator-ID'),
      ...both('pat@example.org/chats/DAY-Of one who waits-ID'),
      'pat@example.org/documents/pat.txt',
      'site.json',
    ]);
    expect(summary).toMatchObject({ accounts: 3, chats: 6, documents: 3, problems: [] });
    expect(summary.size).toBe(
      names().reduce((sum, name) => sum + statSync(join(path, name)).size, 0),
    );
    const markdown = textOf(/In a folder.*md$/);
    expect(markdown).toContain('- Folder: Birds / Small\n');
    expect(markdown).toMatch(/## User\n\nIn a folder\.\n\n## Assistant[^\n]*\n\nHello\.\n$/);
    const texts = [/notes.txt$/, /notes-2.txt$/].map(textOf).sort();
    expect(texts).toEqual(['A note.', 'Another note.']);
    expect(textOf(/^site.json$/)).toBe('{"language":"en"}\n');
    expect(textOf(/^README.txt$/)).toMatch(/^eve@example.org +4 +2$/m);
  });

  it('writes a list of one chat, as Open WebUI exports and imports it', async () => {
    const ui = await UiRig.start(data);
    const token = await ui.signIn();
    const id = await ui.chat(token, 'Herons?');
    await exported(ui.app);
    const { body } = await ui.call(`/api/v1/chats/${id}`, token);
    expect(JSON.parse(textOf(/Herons.*json$/))).toEqual([body]);
  });

  it('reads all pages of a list', async () => {
    const ui = await UiRig.start(data);
    await ui.chat(await ui.signIn(), 'Herons?');
    await ui.upload(await ui.signIn(), 'notes.txt', 'A note.');
    const more = (table: string, columns: string, count: number) =>
      sql(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        INSERT INTO ${table} (id, ${columns}) SELECT printf('%08d', i), ${columns} FROM ${table}, n`);
    more('chat', 'user_id, title, chat, created_at, updated_at', 130);
    more('file', 'user_id, hash, filename, path, data, meta, created_at, updated_at', 101);
    const counts: number[] = [];
    let done = 0;
    const progress = {
      onChats: (count: number) => counts.push(count),
      onChat: () => {
        done += 1;
      },
      end: () => {},
    };
    const summary = await exported(ui.app, { start: () => progress });
    expect(summary).toMatchObject({ chats: 131, documents: 102 });
    expect({ counts, done }).toEqual({ counts: [131], done: 131 });
  });

  it('keeps hostile names inside the folder', async () => {
    const ui = await UiRig.start(data);
    const token = await ui.signIn();
    await ui.chat(token, 'Herons?');
    await ui.upload(token, 'notes.txt', 'A note.');
    sql(`UPDATE user SET email = '../../../tmp/' || char(27) || 'CON';
      UPDATE chat SET title = '../../../etc/cron.d/x' || char(10);
      UPDATE file SET filename = '..', meta = '{"name":"../../../../root/.ssh/authorized_keys"}'`);
    await exported(ui.app);
    expect(files()).toEqual([
      'README.txt',
      'site.json',
      'tmp-CON/chats/DAY-etc-cron.d-x-ID.json',
      'tmp-CON/chats/DAY-etc-cron.d-x-ID.md',
      'tmp-CON/documents/root-.ssh-authorized_keys',
    ]);
    expect(readdirSync(above).sort()).toEqual(['data', 'out']);
  });

  it('exports the rest and lists all problems if some answers fail', async () => {
    const ui = await UiRig.start(data);
    const [admin, eve] = [await ui.signIn(), await ui.addUser('eve')];
    const [bad, odd] = [await ui.chat(eve, 'Bad.'), await ui.chat(eve, 'Odd.')];
    await ui.chat(eve, 'Good.');
    await ui.chat(admin, 'Of the administrator.');
    const { id: lost } = await ui.upload(eve, 'lost.txt', 'A note.');
    sql("UPDATE file SET path = '/missing'");
    const summary = await exported((request) => {
      if (request.url.endsWith(bad)) return new Response('Internal', { status: 500 });
      if (request.url.endsWith(odd)) return Response.json({ id: odd, title: 7 });
      return ui.app(request);
    });
    expect(summary).toMatchObject({ chats: 2, documents: 0 });
    expect([...summary.problems].sort()).toEqual(
      [
        `eve@example.org: chat ${bad}: status 500 instead of 200`,
        `eve@example.org: chat ${odd}: the chat UI returned another form of data`,
        `eve@example.org: document ${lost}: status 404 instead of 200`,
      ].sort(),
    );
    for (const problem of summary.problems) expect(textOf(/^README.txt$/)).toContain(problem);
  });

  it('lists accounts whose sessions are rejected', async () => {
    const ui = await UiRig.start(data);
    const summary = await exported(ui.app, { secret: 'another key' });
    expect(summary.problems).toEqual(
      ['documents', 'folders', 'chats'].map(
        (list) => `ops@example.org: the list of ${list}: status 401 instead of 200`,
      ),
    );
  });

  it.each([
    ['a list that is no list', () => Response.json({ detail: 'x' }), 'another form of data'],
    ['text that is not UTF-8', () => new Response(Buffer.from([0xff])), 'another form of data'],
    ['a list that does not end', () => Response.json([{ id: 'a' }]), 'does not end'],
  ])('survives %s', async (_kind, respond, reason) => {
    const ui = await UiRig.start(data);
    const { problems } = await exported((request) =>
      request.url.includes('/chats/archived') ? respond() : ui.app(request),
    );
    expect(problems).toEqual([expect.stringContaining(`the list of chats: `)]);
    expect(problems[0]).toContain(reason);
  });

  it('fails and leaves nothing if the chat UI stops', async () => {
    const ui = await UiRig.start(data);
    await ui.chat(await ui.signIn(), 'Herons?');
    let calls = 0;
    const stopping: Handler = (request) => {
      calls += 1;
      return calls > 3 ? new Response('', { status: 502 }) : ui.app(request);
    };
    await expect(exported(stopping)).rejects.toMatchObject({ code: 'STACK_UNHEALTHY' });
    await expect(exported(stopping, { base: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      code: 'STACK_UNHEALTHY',
      hint: expect.stringContaining('docker logs'),
    });
    expect(readdirSync(above)).toEqual(['data']);
  });
});
