import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { jsonOf } from '#smoke/exchange.ts';
import type { SmokeTarget } from '#smoke/target.ts';
import { callUi } from '#smoke/ui-session.ts';
import { type ChatFacts, type DataOwner, messagesIn } from './chat-facts.ts';

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
    ...fewer('accounts', before.users, after.users),
    ...fewer('chats', before.chats, after.chats),
  ];
  for (const chat of [before.oldest, before.newest]) {
    if (chat) flaws.push(...(await flawsOf('a chat', () => openChat(target, secret, chat))));
  }
  const { document } = before;
  if (document) {
    flaws.push(...(await flawsOf('a document', () => findDocument(target, secret, document))));
  }
  if (flaws.length === 0) return;
  throw new LandfallError('UPDATE_FAILED', 'the new release does not have all earlier data', {
    problems: [...new Set(flaws)].map((message) => ({ message })),
  });
}

function fewer(what: string, before: number | null, after: number | null): string[] {
  if (before === null || before === after) return [];
  return [`${before} ${what} before the update, ${after ?? 'none readable'} after it`];
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
  secret: string,
  { id, owner, title, messages }: NonNullable<ChatFacts['oldest']>,
): Promise<void> {
  const answer = await callUi(target, `/api/v1/chats/${id}`, {}, sessionOf(owner, secret));
  const found = chatSchema.parse(jsonOf(answer));
  if (sha256Hex(found.title) !== title) throw new Error('it has another title');
  const count = messagesIn(found.chat);
  if (messages !== null && count !== messages)
    throw new Error(`it has ${count} messages instead of ${messages}`);
}

const foundSchema = z.object({ documents: z.array(z.array(z.string())) });

async function findDocument(
  target: SmokeTarget,
  secret: string,
  { id, owner, text }: NonNullable<ChatFacts['document']>,
): Promise<void> {
  const body = { collection_name: `file-${id}`, query: text, k: 1 };
  const call = { body, timeout: 120_000 };
  const path = '/api/v1/retrieval/query/doc';
  const answer = await callUi(target, path, call, sessionOf(owner, secret));
  const { documents } = foundSchema.parse(jsonOf(answer));
  if (documents.flat().length === 0) throw new Error('a question does not find it');
}

/**
 * Makes a session of an account: a JSON Web Token (RFC 7519) as Open WebUI signs it (utils/auth.py). The
 * type `automation` needs no second factor.
 */
function sessionOf({ id, stamp }: DataOwner, secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expires = Math.floor(Date.now() / 1000) + 600;
  const more = stamp === null ? {} : { session_stamp: stamp };
  const claims = encode({ id, typ: 'automation', exp: expires, ...more });
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
