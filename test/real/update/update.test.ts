import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInEmail } from '#contract/site/email.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { type ChatFacts, readChatFacts } from '../../../appliance/server/chats/chat-facts.ts';
import { swapIn, verifyCopy } from '../../../appliance/server/chats/volume-copy.ts';
import { registerModels } from '../../../appliance/shared/smoke/ui-models.ts';
import { needs } from '../../integration/needs.ts';
import { RunningStack } from '../../integration/stack/running-stack.ts';
import { insideOf } from '../../integration/stack/smoke-target.ts';
import { putTinyModels, tinyModels } from '../../integration/stack/tiny-models.ts';
import { ChatUiUser } from './chat-ui-user.ts';
import { type Copied, UpdatedChatUi } from './updated-chat-ui.ts';

const real = needs('engine', 'registry', 'composePlugin', 'openWebUi', 'openWebUiBefore');

const id = 'real-update';
const mei = { name: 'Mei', email: 'mei@example.org', password: 'Green-River-7!' };
const text = 'The maintenance code is blue heron.';
const question = 'What is the maintenance code?';
/** Imported chats, for figures of a volume with some megabytes. */
const imported = { calls: 10, chats: 100, size: 40_000 };
/** With the first and the last one, which the page sends. */
const chats = imported.calls * imported.chats + 2;

/** The summary of the suite shows no console of passing tests. */
function printFigure(text: string): void {
  process.stderr.write(`  update: ${text}\n`);
}

real.describe('an update of the real Open WebUI', () => {
  let stack: RunningStack;
  let ui: UpdatedChatUi;
  let admin: ChatUiUser;
  let user: ChatUiUser;
  let document: string;
  let before: Copied;

  beforeAll(async () => {
    stack = await RunningStack.start({ ...real, images: { ui: real.openWebUiBefore } });
    ui = await UpdatedChatUi.of(stack);
    await putTinyModels(await stack.rig.volumeFolder('engine-data', 'models'));
    await stack.rig.compose('restart', 'engine');
    const target = await insideOf(stack);
    await registerModels(
      target,
      tinyModels.models.map(({ name, role }) => ({ name, role })),
    );
    const password = stack.secrets.WEBUI_ADMIN_PASSWORD ?? '';
    admin = await ChatUiUser.signIn(target, { email: signInEmail(target.site), password });
    await admin.add(mei);
    user = await ChatUiUser.signIn(target, mei);
  });
  afterAll(async () => {
    await stack?.close();
  });

  it('begins with accounts, chats and a document of the release before', async () => {
    await user.chat('tiny:1b', 'The first question.');
    document = await user.upload('notes.txt', text);
    for (let call = 0; call < imported.calls; call += 1) {
      await admin.importChats(imported.chats, imported.size);
    }
    expect(await user.find(document, question)).toEqual([text]);
  });

  it('copies the volume with the writes that the database has not merged', async () => {
    const reader = ui.holdMerges();
    await admin.chat('tiny:1b', 'The last question.');
    printFigure(`stopped after ${(await ui.stop()).toFixed(1)} s`);
    reader.close();
    const { stdout: size } = await execa('du', ['--bytes', '--summarize', ui.data]);
    const alone = await mkdtemp(join(tmpdir(), 'landfall-alone-'));
    await copyFile(join(ui.data, 'webui.db'), join(alone, 'webui.db'));
    before = await ui.copy(id);
    printFigure(
      `copy of ${formatBytes(Number.parseInt(size, 10))}: ${before.seconds.toFixed(1)} s, at most ${formatBytes(before.peak)} of memory`,
    );
    expect(before.facts).toMatchObject({ users: 2, chats, document: { id: document, text } });
    expect(readChatFacts(alone).chats).toBeLessThan(chats);
    expect(before.peak).toBeLessThan(160e6);
    await rm(alone, { recursive: true });
  });

  it('keeps accounts, chats and documents through the migration', async () => {
    const seconds = await ui.start(real.openWebUi);
    printFigure(`healthy ${seconds.toFixed(1)} s after the start of the new release`);
    expect(ui.facts).toMatchObject({ users: 2, chats });
    expect(ui.facts.revision).not.toBe(before.facts.revision);
    expect(await ui.flaws(before.facts)).toEqual([]);
    // With the session of before, and with the password.
    expect(await user.find(document, question)).toEqual([text]);
    const again = await ChatUiUser.signIn(await insideOf(stack), mei);
    expect(await again.find(document, question)).toEqual([text]);
  });

  it('names a lost chat and a lost document', async () => {
    const { oldest } = before.facts as { oldest: NonNullable<ChatFacts['oldest']> };
    ui.change('webui.db', 'DELETE FROM chat WHERE id = ?', oldest.id);
    ui.change(
      'vector_db/chroma.sqlite3',
      'DELETE FROM collections WHERE name = ?',
      `file-${document}`,
    );
    expect(await ui.flaws(before.facts)).toEqual([
      `${chats} chats before the update, ${chats - 1} after it`,
      'the oldest chat of before the update: status 401 instead of 200',
      'the oldest document of before the update: a question does not find it',
    ]);
  });

  it('does not start the release before on migrated data', async () => {
    await ui.replace(real.openWebUiBefore);
    expect(await ui.restarted()).toContain("Can't locate revision");
    await ui.stop();
  });

  it('goes back to the release before with the copied data', async () => {
    await verifyCopy(ui.volume, id);
    await swapIn(ui.volume, id);
    expect(await readdir(ui.volume)).toEqual(
      expect.arrayContaining(['_data', `_data.failed-${id}`]),
    );
    const seconds = await ui.start(real.openWebUiBefore);
    printFigure(`healthy ${seconds.toFixed(1)} s after the start of the release before`);
    expect(ui.facts).toEqual(before.facts);
    expect(await ui.flaws(before.facts)).toEqual([]);
    expect(await user.find(document, question)).toEqual([text]);
    await admin.chat('tiny:1b', 'A question after the rollback.');
  });
});
