import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { logCommand } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { engineModels, lockedModels, modelOf } from '../engine-models.ts';
import { jsonOf } from '../exchange.ts';
import { whyNoModel } from '../generate.ts';
import { insideOnly, testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';
import { callUi, signIn, signInAs } from '../ui-session.ts';

/** Open WebUI 0.12, main.py (`/api/chat/completions`) and routers/chats.py: the fields in use. */
const startedSchema = z.object({ chat_id: z.string().min(1) });
const messageSchema = z.object({
  role: z.string(),
  content: z.string().optional(),
  done: z.boolean().optional(),
  error: z.unknown().optional(),
  followUps: z.array(z.unknown()).optional(),
  usage: z.object({ prompt_tokens: z.number().optional() }).nullish(),
});
const chatSchema = z.object({
  title: z.string(),
  chat: z.object({
    history: z.object({ messages: z.record(z.string(), messageSchema) }),
    tags: z.array(z.unknown()).optional(),
  }),
});
const tasksSchema = z.object({ task_ids: z.array(z.string()) });
const userSchema = z.object({ id: z.string().min(1) });

const question = 'Say hello.';
/** A few tokens are enough for the test. */
const maxTokens = 16;
/** Maximum tokens of the prompt. Built-in tools of Open WebUI would add 6,000. */
const maxPromptTokens = 500;
/** The first reply loads a model of several gigabytes from disk. Milliseconds. */
const timeout = 300_000;
const lookAt = `${logCommand('ui')}; ${logCommand('engine')}`;

export const uiChatTests = testsOf(
  'ui',
  [
    {
      name: 'ui-chat',
      title: 'a message in the chat is answered by the local model, in one generation',
      chinese: '聊天消息由本地模型一次生成回答',
      lookAt,
      run: async (target) => await chat(target, await signIn(target)),
    },
    {
      name: 'ui-chat-account',
      title: 'an account without administration rights can chat with the local model',
      chinese: '普通账号能与本地模型聊天',
      lookAt,
      run: async (target) => await withAccount(target, (token) => chat(target, token)),
    },
  ],
  needsChatModel,
);

/** A missing model is not a failure: the report lists it. */
async function needsChatModel(target: SmokeTarget): Promise<string | undefined> {
  if (!target.inside) return insideOnly(target);
  const noServer = await target.inside.whyNoServer?.();
  if (noServer !== undefined) return noServer;
  const chosen = await chatModel(target);
  return chosen === undefined
    ? ((await whyNoModel(target)) ??
        inLanguage({ en: 'no model of the release', zh: '没有版本中的模型' }))
    : undefined;
}

/** Returns the name of the first installed chat model of the release. */
async function chatModel(target: SmokeTarget): Promise<string | undefined> {
  const listed = await engineModels(target);
  const chats = lockedModels(target).filter(({ role }) => role !== 'embedding');
  return chats.flatMap((locked) => modelOf(listed, locked)?.name ?? []).at(0);
}

/**
 * Sends a message as a browser does, waits for the reply, and deletes the chat. The title, tags and
 * follow-up questions that a browser asks for must not be generated.
 */
async function chat(target: SmokeTarget, token: string): Promise<void> {
  const model = (await chatModel(target)) ?? '';
  const reply = randomUUID();
  const call = { body: message(model, reply), timeout };
  const started = jsonOf(await callUi(target, '/api/chat/completions', call, token));
  const { chat_id: id } = startedSchema.parse(started);
  try {
    await tasksEnded(target, token, id);
    const answer = await callUi(target, `/api/v1/chats/${id}`, {}, token);
    const { chat: found } = chatSchema.parse(jsonOf(answer));
    const written = found.history.messages[reply];
    if (written?.error)
      throw new Error(
        inLanguage({
          en: `the reply is an error: ${JSON.stringify(written.error)}`,
          zh: `回答是一个错误：${JSON.stringify(written.error)}`,
        }),
      );
    if (!written?.done || !written.content)
      throw new Error(
        inLanguage({ en: 'the chat has no finished reply', zh: '对话没有完整的回答' }),
      );
    const prompt = written.usage?.prompt_tokens ?? 0;
    if (prompt > maxPromptTokens)
      throw new Error(
        inLanguage({
          en: `the prompt has ${prompt} tokens, not a few`,
          zh: `提示词有 ${prompt} 个 token，过多`,
        }),
      );
    if (written.followUps || (found.tags ?? []).length > 0) {
      throw new Error(
        inLanguage({
          en: 'the model also generated tags or follow-up questions',
          zh: '模型还生成了标签或后续问题',
        }),
      );
    }
  } finally {
    await callUi(target, `/api/v1/chats/${id}`, { method: 'DELETE' }, token);
  }
}

/** The body that Open WebUI 0.12's page sends for the first message of a chat. */
function message(model: string, reply: string): object {
  const asked = randomUUID();
  const timestamp = Math.floor(Date.now() / 1000);
  const common = { parentId: null, childrenIds: [reply], role: 'user', models: [model] };
  return {
    ...{ stream: true, model, params: { max_tokens: maxTokens } },
    ...{ tool_ids: [], tool_servers: [], variables: {}, chat_variables: {} },
    features: {
      ...{ voice: false, image_generation: false, code_interpreter: false, web_search: false },
      memory: true,
    },
    // A browser sends the id of its socket, and with it Open WebUI adds its built-in tools.
    session_id: `smoke-${randomBytes(8).toString('hex')}`,
    ...{ id: reply, parent_id: null },
    message_ids: [{ model_id: model, message_id: reply, modelIdx: 0 }],
    user_message: { id: asked, ...common, content: question, timestamp },
    background_tasks: { title_generation: true, tags_generation: true, follow_up_generation: true },
  };
}

/** Waits until the UI generates nothing for a chat. @throws LandfallError SERVER_UNFIT when late */
async function tasksEnded(target: SmokeTarget, token: string, id: string): Promise<void> {
  const end = performance.now() + timeout;
  for (;;) {
    const answer = await callUi(target, `/api/tasks/chat/${id}`, {}, token);
    if (tasksSchema.parse(jsonOf(answer)).task_ids.length === 0) return;
    if (performance.now() > end) break;
    await sleep(300);
  }
  await callUi(target, `/api/tasks/chat/${id}/stop`, { method: 'POST' }, token);
  throw new LandfallError(
    'SERVER_UNFIT',
    inLanguage({
      en: 'the chat got no reply within five minutes',
      zh: '聊天在五分钟内没有得到回答',
    }),
    {
      hint: {
        en: 'Pull a smaller model, such as: sudo landfall models pull qwen3:0.6b',
        zh: '下载较小的模型，例如：sudo landfall models pull qwen3:0.6b',
      },
    },
  );
}

/** Creates an account, and removes it afterwards. Its password is random and never printed. */
async function withAccount(
  target: SmokeTarget,
  run: (token: string) => Promise<void>,
): Promise<void> {
  const admin = await signIn(target);
  const email = `smoke-${randomBytes(6).toString('hex')}@landfall.invalid`;
  const password = `Aa1!${randomBytes(18).toString('hex')}`;
  const body = { name: 'smoke test', email, password, role: 'user' };
  const { id } = userSchema.parse(
    jsonOf(await callUi(target, '/api/v1/auths/add', { body }, admin)),
  );
  try {
    await run(await signInAs(target, { email, password }));
  } finally {
    await callUi(target, `/api/v1/users/${id}`, { method: 'DELETE' }, admin);
  }
}
