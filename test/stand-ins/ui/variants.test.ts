import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { standInPrograms } from '../../setup/images/stand-in-programs.ts';
import { UiRig } from './ui-rig.ts';
import { normalVariant, type Variant, variantFile, variants } from './variants.ts';

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-ui-'));
  data = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates two chats with the normal program. */
async function twoChats() {
  const ui = await UiRig.start(data);
  const token = await ui.signIn();
  const [older, newer] = [await ui.chat(token, 'The first.'), await ui.chat(token, 'The second.')];
  return { older, newer };
}

/** Starts a program and returns the status of these requests for chats. */
async function readChats(variant: Variant, ...ids: string[]) {
  const ui = await UiRig.start(data, variant);
  const token = await ui.signIn();
  const read = async (id: string) => (await ui.call(`/api/v1/chats/${id}`, token)).status;
  return Promise.all(ids.map(read));
}

function revision(): unknown {
  const database = new DatabaseSync(join(data, 'webui.db'), { readOnly: true });
  const row = database.prepare('SELECT version_num FROM alembic_version').get();
  database.close();
  return row?.version_num;
}

function contents(): Record<string, string> {
  const names = readdirSync(data).filter((name) => /^webui\.db(-wal)?$/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(data, name), 'hex')]));
}

describe('a variant of the stand-in for the chat UI', () => {
  it('migrates the database and keeps every chat', async () => {
    const { older, newer } = await twoChats();
    expect(await readChats(variants.next, older, newer)).toEqual([200, 200]);
    expect(revision()).toBe('landfall_0002');
    const ui = await UiRig.start(data, variants.next);
    const token = await ui.signIn();
    expect((await ui.call('/api/version', token)).body).toEqual({ version: '0.12.5' });
    const { body } = await ui.call(`/api/v1/chats/${await ui.chat(token, 'The third.')}`, token);
    expect(body).toMatchObject({ title: 'The third.', chat: { models: ['tiny:1b'] } });
  });

  it('keeps the database of the normal program with same-schema', async () => {
    const { older } = await twoChats();
    expect(await readChats(variants['same-schema'], older)).toEqual([200]);
    expect(await readChats(normalVariant, older)).toEqual([200]);
  });

  it('refuses the data of a newer program and does not change them', async () => {
    await twoChats();
    await UiRig.start(data, variants.next);
    const before = contents();
    for (const older of [normalVariant, variants['same-schema']]) {
      await expect(UiRig.start(data, older)).rejects.toThrow(
        "Can't locate revision identified by 'landfall_0002'",
      );
    }
    expect(contents()).toEqual(before);
  });

  it('fails half-way with the older half of the chats moved', async () => {
    const { older, newer } = await twoChats();
    const failing = () => UiRig.start(data, variants['fails-half-way']);
    await expect(failing()).rejects.toThrow('the migration failed');
    await expect(failing()).rejects.toThrow('already exists');
    expect(revision()).toBe('landfall_0001');
    await expect(readChats(normalVariant, older)).rejects.toThrow('has no content');
    expect(await readChats(normalVariant, newer)).toEqual([200]);
  });

  it('loses the oldest chat once with loses-chats', async () => {
    const { older, newer } = await twoChats();
    const losing = variants['loses-chats'];
    expect(await readChats(losing, older, newer)).toEqual([401, 200]);
    expect(await readChats(losing, older, newer)).toEqual([401, 200]);
  });

  it('fails every message and every upload with fails-smoke', async () => {
    const ui = await UiRig.start(data, variants['fails-smoke']);
    const token = await ui.signIn();
    expect((await ui.call('/health', token)).status).toBe(200);
    for (const path of ['/api/chat/completions', '/api/v1/files/']) {
      expect((await ui.call(path, token, { model: 'tiny:1b' })).status).toBe(500);
    }
  });
});

describe('the program of the stand-in for the chat UI', () => {
  let source: string;
  beforeAll(async () => {
    source = (await standInPrograms()).ui;
  });

  /** Starts the program of an image. */
  function start(variant?: Variant) {
    const program = join(folder, 'server.mjs');
    writeFileSync(program, source);
    if (variant) writeFileSync(join(folder, variantFile), JSON.stringify(variant));
    const env = { DATA_DIR: data, PORT: '0' };
    return execa(process.execPath, [program], { env, reject: false });
  }

  it('listens as the normal program without a file of a variant', async () => {
    const program = start();
    for await (const line of program) if (`${line}`.includes('running')) program.kill();
    expect(await program).toMatchObject({ exitCode: 0 });
  });

  it('exits with 1 and changes nothing with does-not-start', async () => {
    expect(await start(variants['does-not-start'])).toMatchObject({ exitCode: 1 });
    expect(readdirSync(folder)).not.toContain('data');
  });

  it('exits with 1 on the data of a newer program', async () => {
    await UiRig.start(data, variants.next);
    const { stderr, exitCode } = await start();
    expect(stderr).toContain("Can't locate revision identified by 'landfall_0002'");
    expect(exitCode).toBe(1);
  });

  it('migrates and never listens with hangs', async () => {
    await twoChats();
    const program = start(variants.hangs);
    await expect.poll(revision, { timeout: 10_000 }).toBe('landfall_0002');
    await sleep(200);
    program.kill();
    expect((await program).stdout).toBe('');
  });
});
