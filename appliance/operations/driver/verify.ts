import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { jsonOf } from '#smoke/exchange.ts';
import type { SmokeTarget } from '#smoke/target.ts';
import { callUi } from '#smoke/ui-session.ts';
import {
  type ChatFacts,
  chatFactsSchema,
  type DataOwner,
  messagesIn,
} from '../../server/chats/chat-facts.ts';
import { runOnVolume, volumeFolder } from '../../server/chats/sandbox.ts';
import { signSession } from '../../server/chats/session.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { OpenTransaction } from '../../server/records/transaction.ts';
import type { Context } from '../../server/stage/stage.ts';
import { imagesStage } from '../../stages/images/stage.ts';
import { readSecrets } from '../../stages/secrets/secret-values.ts';
import { failingTests, prove as proveBySmoke, storedFailures } from '../../stages/smoke/stage.ts';
import { serverTarget } from '../../stages/smoke/target.ts';
import { compose, composeFiles } from '../../stages/stack/compose.ts';
import { renderForServer } from '../../stages/stack/write-stack.ts';
import { kinds } from '../transactions/kinds.ts';
import { testsOfWork } from '../transactions/phases.ts';
import { factsBefore, failedBefore } from '../transactions/saved-files.ts';

/** What Compose would read for the new release; removed afterwards. Relative to the root folder. */
const candidate = 'run/landfall/next-stack';

/**
 * Returns the services whose containers a release would replace, by the hash with which Compose decides
 * it, and those that it would add or remove. Changes nothing.
 * @throws LandfallError COMMAND_FAILED, and STATE_INVALID if a secret of the release does not exist yet
 */
export async function changedServices(context: Context): Promise<string[]> {
  const { host, releaseFolder } = context;
  const files = await renderForServer(context);
  try {
    for (const { path, content } of files.filter(({ path }) => composeFiles.includes(path))) {
      await writeText(host, `${candidate}/${path}`, content, { mode: 0o600 });
    }
    const args = ['config', '--hash', '*'];
    const { stdout } = await compose(host, releaseFolder, args, { stack: candidate });
    const wanted = new Map(pairsIn(stdout, ' '));
    const running = await runningHashes(host);
    const names = new Set([...wanted.keys(), ...running.keys()]);
    return [...names].filter((name) => wanted.get(name) !== running.get(name)).sort();
  } finally {
    await rm(host.path(candidate), { recursive: true, force: true });
  }
}

async function runningHashes(host: Host): Promise<ReadonlyMap<string, string>> {
  const label = (name: string) => `{{.Label "com.docker.compose.${name}"}}`;
  const project = 'label=com.docker.compose.project=landfall';
  const format = `${label('service')}\t${label('config-hash')}`;
  const { stdout } = await host.run('docker', [
    ...['ps', '--all', '--filter', project],
    ...['--filter', 'label=com.docker.compose.oneoff=False', '--format', format],
  ]);
  return new Map(pairsIn(stdout, '\t'));
}

function pairsIn(text: string, separator: string): Array<[string, string]> {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', hash = ''] = line.split(separator);
      return [name, hash];
    });
}

/** Results of so few minutes ago are those of now. Two changes in a row would wait for a sign-in. */
const recentMs = 10 * 60_000;

/** Writes the names of the smoke tests that fail before the update, which {@link verifyRelease} excuses. */
export async function testBefore(context: Context, open: OpenTransaction): Promise<void> {
  const { host } = context;
  // Those who go back often leave a release that hangs, and would wait for each of its tests.
  const recent = await storedFailures(host, kinds[open.kind].isReturn ? Infinity : recentMs);
  const names = recent ?? (await failingTests(context, testsOfWork(open)));
  await failedBefore(open.id).write(host, names);
}

/** Runs the smoke tests, and verifies the images and the data that was there before. */
export async function verifyRelease(context: Context, open: OpenTransaction): Promise<void> {
  const { host, site, releaseFolder } = context;
  await imagesStage.prove(context);
  const excused = await failedBefore(open.id).read(host);
  const tests = testsOfWork(open);
  await proveBySmoke(context, { tests, ...(excused && { failedBefore: excused }) });
  // A rollback with the data of before has other data than the release that it leaves.
  const id = open.state === 'verifying' ? (open.restoreFrom ?? open.id) : open.id;
  const before = await factsBefore(id).read(host);
  const folder = await volumeFolder(host, 'ui-data');
  if (!before || !folder) return;
  const printed = await runOnVolume(host, releaseFolder, 'facts', folder, id);
  const after: ChatFacts = chatFactsSchema.parse(JSON.parse(printed));
  const { WEBUI_SECRET_KEY: secret = '' } = await readSecrets(host, site);
  const target = await serverTarget(context);
  await host.outside.measure(() => checkOldData(target, secret, before, after));
}

/**
 * Tests that the chat UI has the data of before the update: the same number of accounts and chats, the
 * oldest and the newest chat open for their owners, and a question finds an old document. A healthy UI is no proof:
 * Open WebUI starts although a migration has failed (open-webui#29280).
 * @param secret WEBUI_SECRET_KEY, with which sessions of the owners are made
 * @param after the facts of the running UI
 * @throws LandfallError UPDATE_FAILED with everything that is missing. It contains no data.
 */
export async function checkOldData(
  target: SmokeTarget,
  secret: string,
  before: ChatFacts,
  after: ChatFacts,
): Promise<void> {
  const flaws = [
    ...difference('accounts', before.users, after.users),
    ...difference('chats', before.chats, after.chats),
  ];
  const session = (owner: DataOwner) => signSession(current(owner, after), secret);
  const chats = [
    ['the oldest chat', before.oldest],
    ['the newest chat', before.newest],
  ] as const;
  for (const [name, chat] of chats) {
    if (!chat) continue;
    flaws.push(...(await flawsOf(name, () => openChat(target, session(chat.owner), chat))));
  }
  const { document } = before;
  if (document) {
    const find = () => findDocument(target, session(document.owner), document);
    flaws.push(...(await flawsOf('the oldest document', find)));
  }
  if (flaws.length === 0) return;
  throw new LandfallError('UPDATE_FAILED', 'the new release does not have all earlier data', {
    problems: flaws.map((message) => ({ message })),
  });
}

function difference(what: string, before: number | null, after: number | null): string[] {
  if (before === null || before === after) return [];
  return [`${before} ${what} before the update, ${after ?? 'none readable'} after it`];
}

/** A migration may give accounts another stamp. */
function current(owner: DataOwner, { oldest, newest, document }: ChatFacts): DataOwner {
  const owners = [oldest, newest, document].flatMap((part) => part?.owner ?? []);
  return owners.find(({ id }) => id === owner.id) ?? owner;
}

async function flawsOf(what: string, test: () => Promise<void>): Promise<string[]> {
  try {
    await test();
    return [];
  } catch (error) {
    return [`${what} of before the update: ${(error as Error).message}`];
  }
}

const chatSchema = z.object({ title: z.string(), chat: z.unknown() });

async function openChat(
  target: SmokeTarget,
  session: string,
  { id, title, messages }: NonNullable<ChatFacts['oldest']>,
): Promise<void> {
  const answer = await callUi(target, `/api/v1/chats/${id}`, {}, session);
  const found = chatSchema.safeParse(jsonOf(answer));
  if (!found.success) throw new Error('the response is not a chat');
  if (sha256Hex(found.data.title) !== title) throw new Error('it has another title');
  const count = messagesIn(found.data.chat);
  if (messages === null || count === messages) return;
  if (count === undefined) throw new Error('its messages cannot be read');
  throw new Error(`it has ${count} messages instead of ${messages}`);
}

const foundSchema = z.object({ documents: z.array(z.array(z.string())) });

async function findDocument(
  target: SmokeTarget,
  session: string,
  { id, text }: NonNullable<ChatFacts['document']>,
): Promise<void> {
  const body = { collection_name: `file-${id}`, query: text, k: 1 };
  const call = { body, timeout: 120_000 };
  const answer = await callUi(target, '/api/v1/retrieval/query/doc', call, session);
  const found = foundSchema.safeParse(jsonOf(answer));
  if (found.data?.documents.flat().length) return;
  throw new Error('a question does not find it');
}
