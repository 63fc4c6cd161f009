import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { origin, Page, pass } from './page.ts';

const chatId = '0b9c1a52-3f6d-4e0e-9d7b-5a1f0c2d3e4f';
const [reply, task] = ['a-reply', 'a-task'];
const json = (value: unknown, status = 200) => Response.json(value, { status });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A chat UI that writes an answer. */
class ChatUi {
  tasks: string[] = [task];
  done = false;
  isDown = false;
  token = 'a-token';
  readonly stopped: string[] = [];

  readonly answer = (path: string, init?: RequestInit): Response => {
    if (this.isDown) return json({ detail: 'starting' }, 503);
    if (path === '/api/chat/completions')
      return json({ status: true, task_ids: [task], chat_id: chatId });
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') !== `Bearer ${this.token}`) return json({}, 401);
    if (path === `/api/tasks/chat/${chatId}`) return json({ task_ids: this.tasks });
    if (path === `/api/tasks/chat/${chatId}/stop` && init?.keepalive) {
      this.stopped.push(init.method ?? '');
      return json({ status: true });
    }
    return path === `/api/v1/chats/${chatId}` ? json(this.chat()) : json({}, 404);
  };

  chat(more: object = {}) {
    const answered = { id: reply, role: 'assistant', content: 'Half of', done: this.done, ...more };
    const messages = { q: { id: 'q', role: 'user', content: 'hello' }, [reply]: answered };
    return { id: chatId, chat: { history: { currentId: reply, messages } } };
  }
}

/** A person's page that has just asked a model. */
async function pageThatAsks(ui: ChatUi, owner = 'ollama', stored = new Map<string, string>()) {
  const page = new Page(ui.answer, undefined, stored);
  page.bubbles[reply] = { text: '', isDone: false };
  await page.fetch(`${origin}/api/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model_item: { owned_by: owner },
      message_ids: [{ model_id: 'tiny:1b', message_id: reply }],
      parent_id: null,
      user_message: { content: 'hello', parentId: null },
    }),
  });
  return page;
}

describe('an answer that does not begin', () => {
  it.each([
    ['ollama', /^Waiting for another answer.*正在等待其他回答/],
    ['openai', /^The provider of this model has not begun.*模型服务商尚未开始回答/],
  ])(
    'says after ten seconds what an answer waits for, until it begins: %s',
    async (owner, text) => {
      const page = await pageThatAsks(new ChatUi(), owner);
      await pass(9.5);
      expect(page.notice).toBeUndefined();
      await pass(1);
      expect(page.notice?.textContent).toMatch(text);
      page.bubbles[reply] = { text: 'Hel', isDone: false };
      await pass(1);
      expect(page.notice).toBeUndefined();
    },
  );

  it('says nothing about waiting in another chat, and nothing again after a click', async () => {
    const page = await pageThatAsks(new ChatUi());
    await pass(10);
    page.notice?.click();
    await pass(10);
    expect(page.notice).toBeUndefined();
    const other = await pageThatAsks(new ChatUi());
    delete other.bubbles[reply];
    await pass(20);
    expect(other.notice).toBeUndefined();
  });

  it('asks for no tasks when an answer has ended', async () => {
    const ui = new ChatUi();
    const page = await pageThatAsks(ui);
    Object.assign(ui, { tasks: [], done: true });
    await pass(5);
    const { length } = page.asked;
    await pass(60);
    expect(page.asked).toHaveLength(length);
    expect(page.notice).toBeUndefined();
  });

  it('asks for no tasks after a sign-out', async () => {
    const ui = new ChatUi();
    const page = await pageThatAsks(ui);
    ui.token = 'another-token';
    await pass(5);
    const { length } = page.asked;
    await pass(60);
    expect(page.asked).toHaveLength(length);
  });
});

describe('an answer of a local model', () => {
  it('stops an answer when its page is closed, and says so once when the page is loaded again', async () => {
    const ui = new ChatUi();
    const stored = new Map<string, string>();
    (await pageThatAsks(ui, 'ollama', stored)).emit('pagehide');
    expect(ui.stopped).toEqual(['POST']);
    expect(new Page(ui.answer, undefined, stored).notice?.textContent).toMatch(
      /^The answer was stopped.*回答已停止/,
    );
    expect(new Page(ui.answer, undefined, stored).notice).toBeUndefined();
  });

  it.each([
    ['of a hosted model', 'openai', false],
    ['that is complete', 'ollama', true],
  ])('stops no answer %s', async (_kind, owner, isDone) => {
    const ui = new ChatUi();
    const stored = new Map<string, string>();
    const page = await pageThatAsks(ui, owner, stored);
    page.bubbles[reply] = { text: 'Hello!', isDone };
    page.emit('pagehide');
    expect(ui.stopped).toEqual([]);
    expect(stored.size).toBe(0);
  });
});

describe('an answer that breaks off', () => {
  const broken = /^This answer broke off.*回答中断/;

  it('reports an answer that broke off on its page when the chat runs again', async () => {
    const ui = new ChatUi();
    const page = await pageThatAsks(ui);
    page.bubbles[reply] = { text: 'Half of', isDone: false };
    ui.isDown = true;
    await pass(30);
    expect(page.notice).toBeUndefined();
    Object.assign(ui, { isDown: false, tasks: [] });
    await pass(5);
    expect(page.notice?.textContent).toMatch(broken);
  });

  const headers = { authorization: 'Bearer a-token' };
  const read = async (ui: ChatUi) =>
    (await (
      await new Page(ui.answer).fetch(`${origin}/api/v1/chats/${chatId}`, { headers })
    ).json()) as ReturnType<ChatUi['chat']>;

  it('marks an answer that broke off in its chat', async () => {
    const ui = new ChatUi();
    ui.tasks = [];
    expect((await read(ui)).chat.history.messages).toMatchObject({
      [reply]: {
        content: 'Half of',
        done: true,
        error: { content: expect.stringMatching(broken) },
      },
      q: { role: 'user', content: 'hello' },
    });
  });

  it.each([
    ['is being written', { tasks: [task] }],
    ['is complete', { tasks: [], done: true }],
    [
      'waits for a person',
      {
        tasks: [],
        chat: () =>
          ChatUi.prototype.chat.call(new ChatUi(), { output: [{ type: 'function_call' }] }),
      },
    ],
  ])('leaves an answer as it is that %s', async (_kind, state) => {
    const ui = Object.assign(new ChatUi(), state);
    expect(await read(ui)).toEqual(ui.chat());
  });

  it('leaves an answer as it is that ends while its chat is read', async () => {
    const ui = Object.assign(new ChatUi(), { tasks: [] });
    const page = new Page((path, init) => {
      const answer = ui.answer(path, init);
      ui.done = true;
      return answer;
    });
    const chat = await (await page.fetch(`${origin}/api/v1/chats/${chatId}`, { headers })).json();
    expect(chat).toEqual({
      ...ui.chat(),
      chat: { history: { currentId: reply, messages: expect.anything() } },
    });
    expect(JSON.stringify(chat)).not.toContain('broke off');
  });
});
