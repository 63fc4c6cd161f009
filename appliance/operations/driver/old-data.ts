import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { jsonOf } from '#smoke/exchange.ts';
import type { SmokeTarget } from '#smoke/target.ts';
import { callUi } from '#smoke/ui-session.ts';
import { type ChatFacts, type DataOwner, messagesIn } from '../../server/chats/chat-facts.ts';
import { signSession } from '../../server/chats/session.ts';

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
  throw new Error(`it has ${count ?? 'no readable'} messages instead of ${messages}`);
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
